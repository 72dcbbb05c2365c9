import { ApiError, type Handler, idsOf, logSecurity, transaction } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { endSession, endSessionsOf } from '../../changes/end-sessions.ts';

/** POST /v1/auth/logout: ends the session of the token, or all of the person's; its tokens are 401 from then on. */
export function logOut(ctx: Context): Handler<'log_out'> {
  return async ({ principal, body }) => {
    // The table lets nobody else in.
    if (principal.kind !== 'user') throw new ApiError('missing_credentials');
    const { user_id: userId, session_id: sessionId } = principal;
    await transaction(ctx.db, async (session) => {
      if (body.all_sessions) await endSessionsOf(ctx, session, { userId });
      else await endSession(ctx, session, sessionId);
    });
    const reason = body.all_sessions ? 'logged_out_everywhere' : 'logged_out';
    logSecurity(ctx.log, { event: 'session_ended', outcome: 'done', reason, ...idsOf(principal) });
    const message = body.all_sessions ? 'You are logged out everywhere.' : 'You are logged out.';
    return { body: { success: true, message } };
  };
}
