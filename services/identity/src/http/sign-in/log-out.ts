import { type Handler, idsOf, logSecurity } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { endSession, endSessionsOf } from '../../changes/end-sessions.ts';
import type { Context } from '../../context.ts';

/** POST /v1/auth/logout: ends the session of the token, or all sessions of the person. */
export function logOut(ctx: Context): Handler<'log_out'> {
  return async ({ caller, body }) => {
    const { user_id: userId, session_id: sessionId } = caller;
    await transaction(ctx.db, async (tx) => {
      if (body.all_sessions) await endSessionsOf(ctx, tx, userId);
      else await endSession(ctx, tx, sessionId);
    });
    const reason = body.all_sessions ? 'logged_out_everywhere' : 'logged_out';
    logSecurity(ctx.log, { event: 'session_ended', outcome: 'done', reason, ...idsOf(caller) });
    const message = body.all_sessions ? 'You are logged out everywhere.' : 'You are logged out.';
    return { body: { success: true, message } };
  };
}
