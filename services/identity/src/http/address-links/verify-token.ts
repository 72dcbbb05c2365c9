import { ApiError, RetryLaterError } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import { logSessionsEnded } from '../../changes/end-sessions.ts';
import { applyNewAddress, verifyAddress } from '../../changes/verify-address.ts';
import type { Context } from '../../context.ts';
import {
  confirmationTokenOf,
  isTokenOf,
  rowIdOfToken,
  verificationTokenOf,
} from '../../credentials/link-tokens.ts';
import { type EmailChangeLink, judgeChangeLink } from '../../domain/email-change.ts';
import { toEmailLower, type User } from '../../domain/user.ts';
import { isAddressTaken } from '../../store/users.ts';

/** A link of `user`: with `change` it confirms a change of address, else it verifies the present address. */
export type VerificationLink = { user: User; change: EmailChangeLink | null };

/** @throws ApiError invalid_verification_token: forged, expired, or void */
export async function findLinkByToken(
  ctx: Context,
  token: string,
  tx: Session | null = null,
): Promise<VerificationLink> {
  const id = rowIdOfToken(token);
  const claim = { id: id ?? '', token, tx };
  const verification = id && (await findVerification(ctx, claim));
  if (verification && !verification.isExpired) return { user: verification.user, change: null };
  const link = id && (await findConfirmation(ctx, claim));
  if (!link) throw new ApiError('invalid_verification_token');
  return link;
}

/** User of a link that verifies the present address, also of an expired one. @throws ApiError invalid_verification_token */
export async function findUserOfLink(ctx: Context, token: string): Promise<User> {
  const id = rowIdOfToken(token);
  const found = id && (await findVerification(ctx, { id, token, tx: null }));
  if (!found) throw new ApiError('invalid_verification_token');
  return found.user;
}

type Claim = { id: string; token: string; tx: Session | null };

async function findVerification(
  ctx: Context,
  { id, token, tx }: Claim,
): Promise<{ user: User; isExpired: boolean } | null> {
  const { emailVerifications, verificationReminders } = ctx.stores;
  const row = (await emailVerifications.find(id, tx)) ?? (await verificationReminders.find(id, tx));
  if (!row || !isTokenOf(verificationTokenOf, row, { token, macs: ctx.macs })) return null;
  const user = await ctx.stores.users.find(row.user_id, tx);
  if (!user || row.void_at !== null || user.email_lower !== row.email_lower) return null;
  return { user, isExpired: row.expires_at <= ctx.clock.now() };
}

async function findConfirmation(ctx: Context, { id, token, tx }: Claim): Promise<VerificationLink | null> {
  const change = await ctx.stores.emailChangeLinks.find(id, tx);
  if (change?.side !== 'new') return null;
  if (!isTokenOf(confirmationTokenOf, change, { token, macs: ctx.macs })) return null;
  const user = await ctx.stores.users.find(change.user_id, tx);
  return user && judgeChangeLink(change, user, ctx.clock.now()) !== 'void' ? { user, change } : null;
}

export type Verified = { user: User; verifiedAt: Date; alreadyVerified: boolean };

/** Uses a link; a second use changes nothing. @throws ApiError invalid_verification_token */
export async function verifyToken(ctx: Context, token: string): Promise<Verified> {
  try {
    const verified = await transaction(ctx.db, async (tx) => {
      const { user, change } = await findLinkByToken(ctx, token, tx);
      if (change) return await confirmChange(ctx, tx, { user, change });
      const now = ctx.clock.now();
      const after = await verifyAddress(ctx, tx, { user, now });
      const verifiedAt = after.email_verified_at ?? now;
      return { user: after, verifiedAt, alreadyVerified: user.email_verified_at !== null };
    });
    const { user, alreadyVerified } = verified;
    if (!alreadyVerified) logSessionsEnded(ctx, user._id, { reason: 'address_proven' });
    return verified;
  } catch (error) {
    // MongoDB's message holds the address, which must not be logged.
    if (isAddressTaken(error)) throw new RetryLaterError('another user got the address at the same moment');
    throw error;
  }
}

/** Applies a requested change in the caller's transaction, unless another user of the tenant has the address. */
async function confirmChange(
  ctx: Context,
  tx: Session,
  { user, change }: { user: User; change: EmailChangeLink },
): Promise<Verified> {
  if (change.proven_at) return { user, verifiedAt: change.proven_at, alreadyVerified: true };
  const newLower = toEmailLower(change.new_email);
  if (await ctx.stores.users.findInTenant(user.partner_id, newLower, tx)) {
    throw new ApiError('invalid_verification_token');
  }
  const now = ctx.clock.now();
  const after = await applyNewAddress(ctx, tx, { user, newEmail: change.new_email, now });
  return { user: after, verifiedAt: now, alreadyVerified: false };
}
