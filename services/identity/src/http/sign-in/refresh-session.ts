import { ApiError, logSecurity } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { endSession } from '../../changes/end-sessions.ts';
import type { Context } from '../../context.ts';
import { readRefreshToken } from '../../credentials/refresh-token.ts';
import {
  idleEnd,
  idsOfSession,
  isLiveSession,
  judgeGeneration,
  type LoginSession,
} from '../../domain/session.ts';
import type { User } from '../../domain/user.ts';

/** @throws ApiError invalid_refresh_token, refresh_token_reused (the session has ended), account_suspended */
export async function refreshSession(
  ctx: Context,
  token: string,
): Promise<{ user: User; session: LoginSession }> {
  const claim = readRefreshToken(token, ctx.macs);
  const session = claim && (await ctx.stores.sessions.find(claim.sessionId));
  if (!session) throw new ApiError('invalid_refresh_token');
  const callerIds = idsOfSession(session);
  const user = await ctx.stores.users.find(session.user_id);
  if (!user || !isLiveSession(session, ctx.clock.now()))
    throw new ApiError('invalid_refresh_token', { callerIds });
  if (user.status === 'suspended') throw new ApiError('account_suspended', { callerIds });
  return { user, session: await nextGeneration(ctx, session, claim.generation) };
}

async function nextGeneration(
  ctx: Context,
  session: LoginSession,
  generation: number,
): Promise<LoginSession> {
  const now = ctx.clock.now();
  const callerIds = idsOfSession(session);
  const verdict = judgeGeneration(session, generation, now);
  if (verdict === 'successor') return session;
  if (verdict === 'reused') {
    await transaction(ctx.db, (tx) => endSession(ctx, tx, session._id));
    const reason = 'refresh_token_reused';
    logSecurity(ctx.log, { event: 'session_ended', outcome: 'done', reason, ...callerIds });
    throw new ApiError('refresh_token_reused', { callerIds });
  }
  const next = { now, idleExpiresAt: idleEnd(session.expires_at, now), pepperId: ctx.macs.id };
  const rotated = await ctx.stores.sessions.rotate(session, next);
  if (rotated) return rotated;
  // A concurrent refresh came first, or the session ended.
  const current = await ctx.stores.sessions.find(session._id);
  if (!current || !isLiveSession(current, now)) throw new ApiError('invalid_refresh_token');
  return await nextGeneration(ctx, current, generation);
}
