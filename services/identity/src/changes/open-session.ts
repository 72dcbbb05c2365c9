import type { Session } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { knownNetworkOf } from '../credentials/sign-in-place.ts';
import { type LoginSession, newSession } from '../domain/session.ts';
import type { User } from '../domain/user.ts';
import { verifyAddress } from './prove-address.ts';
import { applyNewAddress } from './take-new-address.ts';

type SignIn = {
  sessionId: string;
  user: User;
  /** The address that the code was sent to. */
  emailLower: string;
  network: string;
  /** That address, where the user asked for it and has another one so far. */
  newEmail: string | null;
};

/** Opens a session by a code, which also proves the address, in the caller's transaction. */
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
  const proof = { user, now, except: sessionId };
  const proven = newEmail
    ? await applyNewAddress(ctx, tx, { ...proof, newEmail })
    : await verifyAddress(ctx, tx, proof);
  return { user: proven, session };
}
