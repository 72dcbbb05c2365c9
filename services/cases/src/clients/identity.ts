import type { Language, UserReply } from '@casewatch/contracts';
import { ApiError, type Bus, type Logger, orNull } from '@casewatch/platform';

/** @throws ApiError user_not_found; service_unavailable if identity does not answer */
export async function fetchUser(bus: Bus, userId: number): Promise<UserReply> {
  return await bus.request('identity.user', { user_id: userId });
}

/** Null if the user is deleted. */
export async function findUser(bus: Bus, userId: number): Promise<UserReply | null> {
  return await orNull(fetchUser(bus, userId), 'user_not_found');
}

/** Languages of a partner's users by user id, without deleted users. Null if identity does not answer. */
export async function findLanguages(
  { bus, log }: { bus: Bus; log: Logger },
  partnerId: number,
  userIds: readonly number[],
): Promise<Map<number, Language> | null> {
  const data = { partner_id: partnerId, user_ids: [...new Set(userIds)] };
  try {
    const { users } = await bus.request('identity.users', data);
    return new Map(users.map(({ id, preferred_language }) => [id, preferred_language]));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    log.info({ partner: partnerId, err: error }, 'identity.users unavailable; showing English');
    return null;
  }
}
