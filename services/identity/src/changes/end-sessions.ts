import type { Session } from '@casewatch/platform';
import type { WriteContext } from '../context.ts';

/**
 * Ends a user's sessions, but `except` where one is named, in the caller's transaction; gateways stop trusting them
 * (architecture.md §4). Best called last in it.
 */
export async function endSessionsOf(
  { clock, stores }: Pick<WriteContext, 'clock' | 'stores'>,
  tx: Session,
  { userId, except = null }: { userId: number; except?: string | null },
): Promise<void> {
  await stores.sessions.endAll(userId, except, clock.now(), tx);
  await stores.revocations.add(tx, { kind: 'user', id: userId });
}

/** Ends one session, in the caller's transaction, likewise. */
export async function endSession(
  { clock, stores }: Pick<WriteContext, 'clock' | 'stores'>,
  tx: Session,
  sessionId: string,
): Promise<void> {
  await stores.sessions.end(sessionId, clock.now(), tx);
  await stores.revocations.add(tx, { kind: 'session', id: sessionId });
}
