import { ApiError, type Session } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import type { EmailChangeLink } from '../../domain/email-change-link.ts';
import { toEmailLower, type User } from '../../domain/user.ts';
import { takeNewAddress } from '../../changes/take-new-address.ts';

/** The user after a link was used, and since when their address is proven. */
export type Verified = {
  user: User;
  verifiedAt: Date;
  alreadyVerified: boolean;
};

type Confirmation = { user: User; change: EmailChangeLink };

/**
 * The new address confirms a change, and it takes effect, in the caller's transaction. An address that another user of the
 * tenant has is never taken from them.
 * @throws ApiError invalid_verification_token
 */
export async function confirmChange(
  ctx: Context,
  session: Session,
  { user, change }: Confirmation,
): Promise<Verified> {
  if (change.proven_at) return { user, verifiedAt: change.proven_at, alreadyVerified: true };
  const newLower = toEmailLower(change.new_email);
  if (await ctx.stores.users.ofTenant(user.partner_id, newLower, session)) {
    throw new ApiError('invalid_verification_token');
  }
  const now = ctx.clock.now();
  const after = await takeNewAddress(ctx, session, { user, newEmail: change.new_email, now });
  return { user: after, verifiedAt: now, alreadyVerified: false };
}
