import { ApiError, logSecurity, transaction } from '@casewatch/platform';
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

/**
 * A refresh token for the session's next generation.
 * @throws ApiError invalid_refresh_token, refresh_token_reused (the session has ended then), account_suspended
 */
export async function refreshSession(
  ctx: Context,
  token: string,
): Promise<{ user: User; session: LoginSession }> {
  const now = ctx.clock.now();
  const claim = readRefreshToken(token, ctx.macs);
  const session = claim && (await ctx.stores.sessions.find(claim.sessionId));
  if (!session) throw new ApiError('invalid_refresh_token');
  const who = idsOfSession(session);
  const user = await ctx.stores.users.find(session.user_id);
  if (!user || !isLiveSession(session, now)) throw new ApiError('invalid_refresh_token', { who });
  if (user.status === 'suspended') throw new ApiError('account_suspended', { who });
  return { user, session: await nextGeneration(ctx, session, claim.generation) };
}

async function nextGeneration(
  ctx: Context,
  session: LoginSession,
  generation: number,
): Promise<LoginSession> {
  const now = ctx.clock.now();
  const who = idsOfSession(session);
  switch (judgeGeneration(session, generation, now)) {
    case 'successor':
      return session;
    case 'reused':
      await transaction(ctx.db, (tx) => endSession(ctx, tx, session._id));
      logSecurity(ctx.log, {
        event: 'session_ended',
        outcome: 'done',
        reason: 'refresh_token_reused',
        ...who,
      });
      throw new ApiError('refresh_token_reused', { who });
    case 'rotate': {
      const idleExpiresAt = idleEnd(session.expires_at, now);
      const next = { now, idleExpiresAt, pepperId: ctx.macs.id };
      const rotated = await ctx.stores.sessions.rotate(session, next);
      if (rotated) return rotated;
      // Another came first, or the session ended: judged anew on what is there now.
      const current = await ctx.stores.sessions.find(session._id);
      if (!current || !isLiveSession(current, now)) throw new ApiError('invalid_refresh_token');
      return await nextGeneration(ctx, current, generation);
    }
  }
}
