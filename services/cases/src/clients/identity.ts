import type { Language, ReplyData, RequestInput, UserReply } from '@casewatch/contracts';
import { ApiError, type Bus, createBatch, type Logger, orNull } from '@casewatch/platform';

/** Questions to identity. Questions of calls that run at the same time become one request. */
export type Identity = {
  /** @throws ApiError user_not_found; service_unavailable if identity does not answer */
  fetchUser(userId: number): Promise<UserReply>;
  /** Null if the user is deleted. */
  findUser(userId: number): Promise<UserReply | null>;
  /** Languages of a partner's users by user id, without deleted users. Null if identity does not answer. */
  findLanguages(partnerId: number, userIds: readonly number[]): Promise<Map<number, Language> | null>;
};

type LanguagePage = Pick<RequestInput<'identity.users'>, 'partner_id' | 'user_ids'>;
type UserLanguage = ReplyData<'identity.users'>['users'][number];

/** Longest time that a request holds back the next one, ms. */
const holdMs = 20;
const users = { size: 100, holdMs };
const pages = { size: 20, holdMs };

export function createIdentity(bus: Bus, log: Logger): Identity {
  const findUser = createBatch((ids: readonly number[]) => requestUsers(bus, ids), users);
  const languagesOf = createBatch((asked: readonly LanguagePage[]) => requestLanguages(bus, asked), pages);
  return {
    findUser,
    async fetchUser(userId) {
      const user = await findUser(userId);
      if (user === null) throw new ApiError('user_not_found');
      return user;
    },
    async findLanguages(partner_id, userIds) {
      try {
        const found = await languagesOf({ partner_id, user_ids: [...new Set(userIds)] });
        return new Map(found.map(({ id, preferred_language }) => [id, preferred_language]));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        log.info({ partner: partner_id, err: error }, 'identity.users unavailable; showing English');
        return null;
      }
    },
  };
}

async function requestUsers(bus: Bus, ids: readonly number[]): Promise<(UserReply | null)[]> {
  const [user_id, ...more_ids] = ids as readonly [number, ...number[]];
  const ask = (question: RequestInput<'identity.user'>) =>
    orNull(bus.request('identity.user', question), 'user_not_found');
  const first = await ask({ user_id, ...(more_ids.length > 0 && { more_ids }) });
  // identity tells of no other user if the first one is deleted.
  const more = first?.more ?? (await Promise.all(more_ids.map((id) => ask({ user_id: id }))));
  return [first, ...more];
}

async function requestLanguages(bus: Bus, pages: readonly LanguagePage[]): Promise<UserLanguage[][]> {
  const [page, ...otherPages] = pages as readonly [LanguagePage, ...LanguagePage[]];
  const question = { ...page, ...(otherPages.length > 0 && { more: otherPages }) };
  const first = await bus.request('identity.users', question);
  return [first.users, ...(first.more ?? [])];
}
