import type { SendRequest } from '@casewatch/contracts';
import { RetryLaterError, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { loginCodeOf } from '../credentials/login-code.ts';
import { batchTickMs } from '../domain/settlement.ts';
import { startMailLoop } from './mail-loop.ts';

export function sendLoginCodes(ctx: Context): Running {
  return startMailLoop(ctx, {
    name: 'login codes',
    queue: ctx.stores.loginChallenges.mails,
    compose: (id) => compose(ctx, id),
    sweepMs: batchTickMs / 2,
  });
}

/**
 * The mail of a login code. Only here is looked up whether anybody has the address: the answer to the caller was the
 * same, after the same work, in either case.
 * @throws RetryLaterError where a sign-up with the address is still under way, or another replica has to make the code
 */
async function compose({ stores, macs }: Context, id: string): Promise<SendRequest | null> {
  const challenge = await stores.loginChallenges.find(id);
  if (!challenge || challenge.used_at !== null) return null;
  // Asked first, so that a sign-up that ends in between is seen as a user.
  const isSigningUp = await stores.addressRequests.hasSignUp(challenge.email_lower);
  const [user] = await stores.users.findByEmail(challenge.email_lower);
  if (!user && isSigningUp) throw new RetryLaterError('a sign-up with this address is under way');
  // A code also proves an address that a user asked for, as long as nobody has it.
  const pending = user ? null : await stores.users.findByPendingEmail(challenge.email_lower);
  const reader = user ?? pending;
  if (!reader) return null;
  const code = loginCodeOf(challenge, macs);
  if (code === null) throw new RetryLaterError('the code hangs on a pepper that only other replicas have');
  return {
    kind: 'login_code',
    message_id: `login-${id}`,
    to: user?.email ?? pending?.pending_email ?? challenge.email_lower,
    language: challenge.language ?? reader.preferred_language,
    expires_at: challenge.expires_at.toISOString(),
    code,
  };
}
