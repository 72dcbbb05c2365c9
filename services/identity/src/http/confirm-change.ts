import { ApiError, type Session } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { type EmailChangeLink, usedAt } from '../domain/email-change-link.ts';
import { toEmailLower, type User } from '../domain/user.ts';
import { changeUser, forgetCodes } from '../store/change-user.ts';
import { proveAddress } from '../store/prove-address.ts';
import type { Verified } from './verify-token.ts';

type Confirmation = { user: User; change: EmailChangeLink };

/**
 * One of the two addresses confirms a change, in the caller's transaction; with the second the change takes effect. An address
 * that another user of the tenant has is never taken from them: to it the link is void, and the present address is told no more
 * than that the other one has not confirmed.
 * @throws ApiError invalid_verification_token
 */
export async function confirmChange(
  ctx: Context,
  session: Session,
  { user, change }: Confirmation,
): Promise<Verified> {
  const usedBefore = usedAt(change);
  const isPending = (user.pending_email ?? null) !== null;
  if (usedBefore) return { user, verifiedAt: usedBefore, alreadyVerified: true, isWaiting: isPending };
  const newLower = toEmailLower(change.new_email);
  const isTaken = (await ctx.stores.users.ofTenant(user.partner_id, newLower, session)) !== null;
  if (isTaken && change.side === 'new') throw new ApiError('invalid_verification_token');
  const now = ctx.clock.now();
  const { allowed_at, proven_at } = await ctx.stores.emailChangeLinks.markUsed(change, now, session);
  const isWaiting = isTaken || allowed_at === null || proven_at === null;
  const after = isWaiting ? user : await takeEffect(ctx, session, { user, change });
  return { user: after, verifiedAt: now, alreadyVerified: false, isWaiting };
}

/** The address changes, and is proven: what the account was before that is over (`proveAddress`). */
async function takeEffect(ctx: Context, session: Session, { user, change }: Confirmation): Promise<User> {
  const now = ctx.clock.now();
  const address = { email: change.new_email, email_lower: toEmailLower(change.new_email) };
  const set = { ...address, email_verified_at: null, pending_email: null };
  const moved = await changeUser(ctx, session, { user, set });
  await ctx.stores.emailVerifications.voidAll(user._id, now, session);
  await forgetCodes(ctx, session, user.email_lower);
  return await proveAddress(ctx, session, { user: moved, now });
}
