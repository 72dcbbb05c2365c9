import type { Session as Transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { signInPlaceOf } from '../credentials/sign-in-place.ts';
import { newSession, type Session } from '../domain/session.ts';
import type { User } from '../domain/user.ts';
import { proveAddress } from './prove-address.ts';
import { takeNewAddress } from './take-new-address.ts';

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
  tx: Transaction,
  { sessionId, user, emailLower, network, newEmail }: SignIn,
): Promise<{ user: User; session: Session }> {
  const now = ctx.clock.now();
  const session = newSession({ id: sessionId, user, pepperId: ctx.macs.id, now });
  await ctx.stores.sessions.insert(session, tx);
  await ctx.stores.users.noteSignIn(user._id, now, tx);
  await ctx.stores.signInPlaces.note(signInPlaceOf(ctx.macs, emailLower, network), now, tx);
  const proof = { user, now, except: sessionId };
  const proven = newEmail
    ? await takeNewAddress(ctx, tx, { ...proof, newEmail })
    : await proveAddress(ctx, tx, proof);
  return { user: proven, session };
}
