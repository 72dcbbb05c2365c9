import { type CallerIds, logSecurity } from '@casewatch/platform';
import type { Context } from '../../context.ts';

type Reason = 'suspended' | 'address_changed' | 'address_proven' | 'change_undone' | 'user_deleted';

/** The security line for all sessions of a user that a committed change ended; `by` names the caller. */
export function logSessionsEnded(
  ctx: Pick<Context, 'log'>,
  userId: number,
  { reason, by = {} }: { reason: Reason; by?: CallerIds },
): void {
  logSecurity(ctx.log, { ...by, event: 'session_ended', outcome: 'done', reason, user_id: userId });
}
