import { ApiError, RetryLaterError, type Session, transaction } from '@casewatch/platform';
import { verifyAddress } from '../../changes/prove-address.ts';
import { applyNewAddress } from '../../changes/take-new-address.ts';
import type { Context } from '../../context.ts';
import { isChangeTokenOf } from '../../credentials/change-token.ts';
import { isTokenOf, rowIdOfToken } from '../../credentials/verification-token.ts';
import { type EmailChangeLink, judgeChangeLink } from '../../domain/email-change-link.ts';
import { toEmailLower, type User } from '../../domain/user.ts';
import { isAddressTaken } from '../../store/users.ts';
import { logSessionsEnded } from '../users/log-sessions-ended.ts';

/** Whose link it is; with `change` it confirms a change of address, else it proves the present address. */
export type FoundLink = { user: User; change: EmailChangeLink | null };

/**
 * @throws ApiError invalid_verification_token: forged, too old, for an address that has changed since, or for a change that
 * was given up
 */
export async function findLinkByToken(
  ctx: Context,
  token: string,
  tx: Session | null = null,
): Promise<FoundLink> {
  const id = rowIdOfToken(token);
  const found =
    id &&
    ((await findVerification(ctx, id, { token, tx })) ?? (await findConfirmation(ctx, id, { token, tx })));
  if (!found) throw new ApiError('invalid_verification_token');
  return found;
}

/** The user after a link was used, and since when their address is proven. */
export type Verified = {
  user: User;
  verifiedAt: Date;
  alreadyVerified: boolean;
};

/**
 * Uses a link; the second time it finds the work done.
 * @throws ApiError invalid_verification_token
 * @throws RetryLaterError where another user gets the address at the same moment
 */
export async function verifyToken(ctx: Context, token: string): Promise<Verified> {
  try {
    const verified = await transaction(ctx.db, async (tx) => {
      const { user, change } = await findLinkByToken(ctx, token, tx);
      if (change) return await confirmChange(ctx, tx, { user, change });
      const isVerified = user.email_verified_at !== null;
      const now = ctx.clock.now();
      const after = await verifyAddress(ctx, tx, { user, now });
      const verifiedAt = after.email_verified_at ?? now;
      return { user: after, verifiedAt, alreadyVerified: isVerified };
    });
    const { user, alreadyVerified } = verified;
    if (!alreadyVerified) logSessionsEnded(ctx, user._id, { reason: 'address_proven' });
    return verified;
  } catch (error) {
    // The database's own words hold the address, so they are not passed on to the log.
    if (isAddressTaken(error)) throw new RetryLaterError('another user got the address at the same moment');
    throw error;
  }
}

type Confirmation = { user: User; change: EmailChangeLink };

/**
 * The new address confirms a change, and it takes effect, in the caller's transaction. An address that another user of the
 * tenant has is never taken from them.
 * @throws ApiError invalid_verification_token
 */
async function confirmChange(ctx: Context, tx: Session, { user, change }: Confirmation): Promise<Verified> {
  if (change.proven_at) return { user, verifiedAt: change.proven_at, alreadyVerified: true };
  const newLower = toEmailLower(change.new_email);
  if (await ctx.stores.users.findInTenant(user.partner_id, newLower, tx)) {
    throw new ApiError('invalid_verification_token');
  }
  const now = ctx.clock.now();
  const after = await applyNewAddress(ctx, tx, { user, newEmail: change.new_email, now });
  return { user: after, verifiedAt: now, alreadyVerified: false };
}

type Shown = { token: string; tx: Session | null };

async function findVerification(ctx: Context, id: string, { token, tx }: Shown): Promise<FoundLink | null> {
  const row = await ctx.stores.emailVerifications.find(id, tx);
  if (!row || !isTokenOf(row, token, ctx.macs)) return null;
  const user = await ctx.stores.users.find(row.user_id, tx);
  const isGood = row.void_at === null && row.expires_at > ctx.clock.now();
  return user && isGood && user.email_lower === row.email_lower ? { user, change: null } : null;
}

async function findConfirmation(ctx: Context, id: string, { token, tx }: Shown): Promise<FoundLink | null> {
  const change = await ctx.stores.emailChangeLinks.find(id, tx);
  if (change?.side !== 'new' || !isChangeTokenOf(change, token, ctx.macs)) return null;
  const user = await ctx.stores.users.find(change.user_id, tx);
  return user && judgeChangeLink(change, user, ctx.clock.now()) !== 'void' ? { user, change } : null;
}
