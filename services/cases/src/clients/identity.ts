import type { Language, UserReply } from '@casewatch/contracts';
import { ApiError, type Bus, type Logger, orNull } from '@casewatch/platform';

/**
 * The user as identity knows them at this moment; nothing of it is kept.
 * @throws ApiError user_not_found; service_unavailable where identity does not answer
 */
export async function askUser(bus: Bus, userId: number): Promise<UserReply> {
  return await bus.request('identity.user', { user_id: userId });
}

/** The user, or null where there is none any more: what they own is then about to be erased. */
export async function findUser(bus: Bus, userId: number): Promise<UserReply | null> {
  return await orNull(askUser(bus, userId), 'user_not_found');
}

/**
 * The languages of a partner's users, by id; users that are gone are left out. Null where identity does not answer, or is
 * of a release that does not know the question: a language is a courtesy, and no page waits for it.
 */
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
