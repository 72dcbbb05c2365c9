import type { UserReply } from '@casewatch/contracts';
import { ApiError, type Bus } from '@casewatch/platform';

/**
 * The user as identity knows them at this moment; nothing of it is kept.
 * @throws ApiError user_not_found; service_unavailable where identity does not answer
 */
export async function askUser(bus: Bus, userId: number): Promise<UserReply> {
  return await bus.request('identity.user', { user_id: userId });
}

/** The user, or null where there is none any more: what they own is then about to be erased. */
export async function findUser(bus: Bus, userId: number): Promise<UserReply | null> {
  try {
    return await askUser(bus, userId);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'user_not_found') return null;
    throw error;
  }
}

/** The users that exist, by id; all are asked for at once. */
export async function findUsers(bus: Bus, userIds: readonly number[]): Promise<Map<number, UserReply>> {
  const users = await Promise.all([...new Set(userIds)].map((id) => findUser(bus, id)));
  return new Map(users.filter((user) => user !== null).map((user) => [user.id, user]));
}
