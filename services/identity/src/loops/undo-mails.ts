import type { SendRequest } from '@casewatch/contracts';
import type { Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { undoTokenOf } from '../credentials/undo-token.ts';
import { startMailLoop } from './mail-loop.ts';

export function sendUndoMails(ctx: Context): Running {
  return startMailLoop(ctx, {
    name: 'undo mails',
    queue: ctx.stores.emailChanges.mails,
    compose: (id) => compose(ctx, id),
    wakeOn: (wake) => ctx.signals.on('undoMails', wake),
  });
}

/** The mail to the old address, by which the change is undone; none if that has happened, or the user is gone. */
async function compose({ config, macs, stores }: Context, id: string): Promise<SendRequest | null> {
  const change = await stores.emailChanges.find(id);
  const user = change && (await stores.users.find(change.user_id));
  if (!change || !user || change.undone_at !== null || change.void_at !== null) return null;
  return {
    kind: 'address_changed',
    message_id: `undo-${id}`,
    to: change.old_email,
    language: user.preferred_language,
    expires_at: change.expires_at.toISOString(),
    link: `${config.PUBLIC_URL}/v1/users/undo-email-change?token=${undoTokenOf(change, macs)}`,
    user_id: user._id,
  };
}
