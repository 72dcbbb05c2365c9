import { ApiError, transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { readRefreshToken } from '../credentials/refresh-token.ts';
import { idleEnd, isLive, judgeGeneration, type Session } from '../domain/session.ts';
import type { User } from '../domain/user.ts';
import { endSession } from '../store/end-sessions.ts';

/**
 * A refresh token for the session's next generation.
 * @throws ApiError invalid_refresh_token, refresh_token_reused (the session has ended then), account_suspended
 */
export async function refreshSession(ctx: Context, token: string): Promise<{ user: User; session: Session }> {
  const now = ctx.clock.now();
  const claim = readRefreshToken(token, ctx.macs);
  const session = claim && (await ctx.stores.sessions.find(claim.sessionId));
  const user = session && (await ctx.stores.users.find(session.user_id));
  if (!session || !user || !isLive(session, user, now)) throw new ApiError('invalid_refresh_token');
  if (user.status === 'suspended') throw new ApiError('account_suspended');
  return { user, session: await nextGeneration(ctx, { session, user, generation: claim.generation }) };
}

type Shown = { session: Session; user: User; generation: number };

async function nextGeneration(ctx: Context, { session, user, generation }: Shown): Promise<Session> {
  const now = ctx.clock.now();
  switch (judgeGeneration(session, generation, now)) {
    case 'successor':
      return session;
    case 'reused':
      await transaction(ctx.db, (tx) => endSession(ctx, tx, session._id));
      ctx.log.warn({ session_id: session._id }, 'refresh token used again; session ended');
      throw new ApiError('refresh_token_reused');
    case 'rotate': {
      const idleExpiresAt = idleEnd(session.expires_at, now);
      const next = { now, idleExpiresAt, pepperId: ctx.macs.id };
      const rotated = await ctx.stores.sessions.rotate(session, next);
      if (rotated) return rotated;
      // Another came first, or the session ended: judged anew on what is there now.
      const current = await ctx.stores.sessions.find(session._id);
      if (!current || !isLive(current, user, now)) throw new ApiError('invalid_refresh_token');
      return await nextGeneration(ctx, { session: current, user, generation });
    }
  }
}
