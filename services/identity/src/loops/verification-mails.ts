import type { SendRequest } from '@casewatch/contracts';
import type { Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { verificationTokenOf } from '../credentials/link-tokens.ts';
import { startMailLoop } from './mail-loop.ts';

export function sendVerificationMails(ctx: Context): Running {
  return startMailLoop(ctx, {
    name: 'verification mails',
    queue: ctx.stores.emailVerifications.mails,
    compose: (id) => compose(ctx, id),
    wakeOn: (wake) => ctx.signals.on('verificationMails', wake),
  });
}

/** Null if the address changed or was verified since. */
async function compose({ config, macs, stores }: Context, id: string): Promise<SendRequest | null> {
  const row = await stores.emailVerifications.find(id);
  const user = row && (await stores.users.find(row.user_id));
  if (!row || !user || row.void_at !== null) return null;
  if (user.email_lower !== row.email_lower || user.email_verified_at !== null) return null;
  return {
    kind: 'verify_email',
    message_id: `verify-${id}`,
    to: user.email,
    language: user.preferred_language,
    expires_at: row.expires_at.toISOString(),
    link: `${config.PUBLIC_URL}/v1/users/verify-email?token=${verificationTokenOf(row, macs)}`,
    user_id: user._id,
  };
}
