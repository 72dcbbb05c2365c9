import type { Session } from '@casewatch/platform';
import type { WriteContext } from '../context.ts';
import { toEmailLower, type User } from '../domain/user.ts';
import { changeUser, deleteLoginCodes } from './change-user.ts';
import { verifyAddress } from './prove-address.ts';

type Proof = {
  user: User;
  newEmail: string;
  now: Date;
  /** The session that the proof opened: the only one that goes on. */
  except?: string;
};

/**
 * The address that a person asked for becomes the user's, proven, in the caller's transaction. All that depends on the former
 * address ends (`proveAddress`).
 */
export async function applyNewAddress(
  ctx: WriteContext,
  tx: Session,
  { user, newEmail, now, except }: Proof,
): Promise<User> {
  const address = { email: newEmail, email_lower: toEmailLower(newEmail) };
  const set = { ...address, email_verified_at: null, pending_email: null };
  const moved = await changeUser(ctx, tx, { user, set });
  await ctx.stores.emailVerifications.voidAll(user._id, now, tx);
  await ctx.stores.emailChangeLinks.markProven(user._id, now, tx);
  await deleteLoginCodes(ctx, tx, user.email_lower);
  return await verifyAddress(ctx, tx, { user: moved, now, ...(except !== undefined && { except }) });
}
