import type { UserReply } from '@casewatch/contracts';
import { type Bus, type Logger, orNull } from '@casewatch/platform';

/** `gone`: the user is deleted. `away`: identity did not answer. */
export type UserAnswer = UserReply | 'gone' | 'away';

/** Never throws: a person can unsubscribe while identity is away. */
export async function fetchUser(
  { bus, log }: { bus: Bus; log: Logger },
  userId: number,
): Promise<UserAnswer> {
  try {
    return (await orNull(bus.request('identity.user', { user_id: userId }), 'user_not_found')) ?? 'gone';
  } catch (error) {
    log.info({ user_id: userId, err: error }, 'identity.user unavailable');
    return 'away';
  }
}
