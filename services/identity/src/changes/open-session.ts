import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { knownNetworkOf } from '../credentials/known-networks.ts';
import { type LoginSession, newSession } from '../domain/session.ts';
import type { User } from '../domain/user.ts';
import type { LoginChallenge } from '../store/login-challenges.ts';
import { applyNewAddress, verifyAddress } from './verify-address.ts';

type SignIn = {
  sessionId: string;
  user: User;
  emailLower: string;
  network: string;
  /** Set if the code was sent to the user's requested new address. */
  newEmail: string | null;
};

/**
 * Whose requested new address a code proves, where no user has the address. A code of the front page proves none: whoever types an address
 * there arrives, and another account that only asked for the address is not theirs.
 */
export async function requesterOf(
  { stores }: Context,
  { email_lower, typed_email }: LoginChallenge,
  tx: Session | null = null,
): Promise<User | null> {
  return typed_email === undefined ? await stores.users.findByPendingEmail(email_lower, tx) : null;
}

/** Opens a session after a correct code, which also verifies the address, in the caller's transaction. */
export async function openSession(
  ctx: Context,
  tx: Session,
  { sessionId, user, emailLower, network, newEmail }: SignIn,
): Promise<{ user: User; session: LoginSession }> {
  const now = ctx.clock.now();
  const session = newSession({ id: sessionId, user, pepperId: ctx.macs.id, now });
  await ctx.stores.sessions.insert(session, tx);
  await ctx.stores.users.recordSignIn(user._id, now, tx);
  await ctx.stores.knownNetworks.record(knownNetworkOf(ctx.macs, emailLower, network), now, tx);
  const verification = { user, now, except: sessionId };
  const verified = newEmail
    ? await applyNewAddress(ctx, tx, { ...verification, newEmail })
    : await verifyAddress(ctx, tx, verification);
  return { user: verified, session };
}
