import { ApiError, type Session, transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { isTokenOf, rowIdOfToken } from '../credentials/verification-token.ts';
import type { User } from '../domain/user.ts';
import { changeUser } from '../store/change-user.ts';

export type Verified = { user: User; verifiedAt: Date; alreadyVerified: boolean };

/**
 * The user whose present address a link proves.
 * @throws ApiError invalid_verification_token: forged, older than 48 h, or for an address that has changed since
 */
export async function userOfToken(
  ctx: Context,
  token: string,
  session: Session | null = null,
): Promise<User> {
  const id = rowIdOfToken(token);
  const row = id === null ? null : await ctx.stores.emailVerifications.find(id, session);
  if (!row || !isTokenOf(row, token, ctx.macs)) throw new ApiError('invalid_verification_token');
  const user = await ctx.stores.users.find(row.user_id, session);
  const isGood =
    row.void_at === null && row.expires_at > ctx.clock.now() && user?.email_lower === row.email_lower;
  if (!user || !isGood) throw new ApiError('invalid_verification_token');
  return user;
}

/** Uses a link; the second time it finds the work done. */
export async function verifyToken(ctx: Context, token: string): Promise<Verified> {
  return await transaction(ctx.db, async (session) => {
    const user = await userOfToken(ctx, token, session);
    if (user.email_verified_at !== null) {
      return { user, verifiedAt: user.email_verified_at, alreadyVerified: true };
    }
    const verifiedAt = ctx.clock.now();
    const after = await changeUser(ctx, session, { user, set: { email_verified_at: verifiedAt } });
    return { user: after, verifiedAt, alreadyVerified: false };
  });
}
