import type { SendRequest } from '@casewatch/contracts';
import type { Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { changeTokenOf } from '../credentials/change-token.ts';
import { undoTokenOf } from '../credentials/undo-token.ts';
import { judgeChangeLink } from '../domain/email-change-link.ts';
import { batchTickMs } from '../domain/settlement.ts';
import { toEmailLower } from '../domain/user.ts';
import { startMailLoop } from './mail-loop.ts';

export function sendChangeMails(ctx: Context): Running {
  return startMailLoop(ctx, {
    name: 'change mails',
    queue: ctx.stores.emailChangeLinks.mails,
    compose: (id) => compose(ctx, id),
    sweepMs: batchTickMs,
  });
}

/**
 * The mail of one link of a change; none if the change was given up, or the user is gone. Only here is looked up whether the new
 * address is taken: then its owner is told, and no link is sent.
 */
async function compose({ clock, config, macs, stores }: Context, id: string): Promise<SendRequest | null> {
  const link = await stores.emailChangeLinks.find(id);
  const user = link && (await stores.users.find(link.user_id));
  if (!link || !user || judgeChangeLink(link, user, clock.now()) !== 'use') return null;
  const common = { message_id: `change-${id}`, expires_at: link.expires_at.toISOString() };
  const asked = { ...common, language: user.preferred_language, user_id: user._id };
  if (link.side === 'present') {
    const page = `${config.PUBLIC_URL}/v1/users/undo-email-change?token=${undoTokenOf(link, macs)}`;
    return { ...asked, kind: 'address_change_asked', to: link.old_email, link: page };
  }
  const owner = await stores.users.findInTenant(user.partner_id, toEmailLower(link.new_email));
  if (owner) {
    const told = { to: owner.email, language: owner.preferred_language, user_id: owner._id };
    return { ...common, ...told, kind: 'address_taken' };
  }
  const page = `${config.PUBLIC_URL}/v1/users/verify-email?token=${changeTokenOf(link, macs)}`;
  return { ...asked, kind: 'confirm_new_address', to: link.new_email, link: page };
}
