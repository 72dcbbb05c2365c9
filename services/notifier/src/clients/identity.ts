import type { UserReply } from '@casewatch/contracts';
import { type Bus, type Logger, orNull } from '@casewatch/platform';

/** A user as identity knows them now; `gone`: deleted; `away`: identity did not answer. */
export type AskedUser = UserReply | 'gone' | 'away';

/** Asks identity for a user. A person who unsubscribes must not have to wait for identity to come back. */
export async function askUser({ bus, log }: { bus: Bus; log: Logger }, userId: number): Promise<AskedUser> {
  try {
    return (await orNull(bus.request('identity.user', { user_id: userId }), 'user_not_found')) ?? 'gone';
  } catch (error) {
    log.info({ user_id: userId, err: error }, 'user not available');
    return 'away';
  }
}
