import type { Session } from '@casewatch/platform';
import type { WriteContext } from '../context.ts';
import { firstVerification } from '../domain/first-proof.ts';
import { isUnverified, type User } from '../domain/user.ts';
import { changeUser } from './change-user.ts';

type Proof = {
  user: User;
  now: Date;
  /** The session that the proof opened: the only one that goes on. */
  except?: string;
};

/**
 * Notes that somebody proved the user's present address, in the caller's transaction. The first time, the holder before
 * loses the account: sessions end, links that undo a change are void (interface.md §4). Best called last.
 */
export async function verifyAddress(
  ctx: WriteContext,
  tx: Session,
  { user, now, except }: Proof,
): Promise<User> {
  if (!isUnverified(user)) return user;
  const { stores } = ctx;
  const proven = await changeUser(ctx, tx, { user, set: firstVerification(user, now) });
  await stores.emailChanges.voidAll(user._id, now, tx);
  await stores.emailChangeLinks.voidAll(user._id, now, tx);
  const ended = await stores.sessions.endAll(user._id, except ?? null, now, tx);
  // Few have a session before the first proof, and every revocation writes the one row of the revision.
  if (ended > 0) await stores.revocations.add(tx, { kind: 'user', id: user._id });
  return proven;
}
