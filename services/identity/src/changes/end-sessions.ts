import { type CallerIds, logSecurity } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import type { Context, WriteContext } from '../context.ts';

type Writing = Pick<WriteContext, 'clock' | 'stores'>;

/** Ends a user's sessions in the caller's transaction. Call it last: revocations conflict with each other. */
export async function endSessionsOf({ clock, stores }: Writing, tx: Session, userId: number): Promise<void> {
  await stores.sessions.endAll(userId, null, clock.now(), tx);
  await stores.revocations.add(tx, { kind: 'user', id: userId });
}

export async function endSession({ clock, stores }: Writing, tx: Session, sessionId: string): Promise<void> {
  await stores.sessions.end(sessionId, clock.now(), tx);
  await stores.revocations.add(tx, { kind: 'session', id: sessionId });
}

type Reason = 'suspended' | 'address_changed' | 'address_proven' | 'change_undone' | 'user_deleted';

export function logSessionsEnded(
  ctx: Pick<Context, 'log'>,
  userId: number,
  { reason, by = {} }: { reason: Reason; by?: CallerIds },
): void {
  logSecurity(ctx.log, { ...by, event: 'session_ended', outcome: 'done', reason, user_id: userId });
}
