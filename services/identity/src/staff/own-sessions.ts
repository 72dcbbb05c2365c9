import { toIso } from '@casewatch/contracts';
import { ApiError, logSecurity, type RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { accountOf, endSession, idsOfSession, isLive, loadSession } from './sign-in.ts';

// A member sees where the own sessions are, and ends one of them or all.

/** @throws ApiError console_session_ended */
export function answerStaffSessions(ctx: Context): RequestHandler<'identity.staff_sessions'> {
  return async ({ token }) => {
    const { session: own } = await loadSession(ctx, token);
    await accountOf(ctx, own);
    const now = ctx.clock.now();
    const all = await ctx.stores.staffSessions.listOf(own.staff_id);
    const live = all.filter((session) => isLive(session, now));
    return {
      sessions: live.slice(0, 100).map((session) => ({
        id: session._id,
        signed_in_at: toIso(session.signed_in_at),
        last_used_at: toIso(session.rotated_at),
        browser: session.browser,
        network: session.network,
        is_own: session._id === own._id,
      })),
    };
  };
}

/** Ends one session of the same member. @throws ApiError console_session_ended; staff_not_found for another one's */
export function answerEndOtherStaffSession(ctx: Context): RequestHandler<'identity.end_other_staff_session'> {
  return async ({ token, session_id }) => {
    const { session: own } = await loadSession(ctx, token);
    await accountOf(ctx, own);
    const session = await ctx.stores.staffSessions.find(session_id);
    if (session?.staff_id !== own.staff_id) throw new ApiError('staff_not_found');
    if (session.ended_at !== null) return { ended: false };
    await endSession(ctx, session);
    logSecurity(ctx.log, {
      event: 'session_ended',
      outcome: 'done',
      reason: 'logged_out',
      ...idsOfSession(session),
    });
    return { ended: true };
  };
}
