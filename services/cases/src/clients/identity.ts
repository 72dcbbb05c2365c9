import type {
  Caller,
  Language,
  NamedUser,
  PartnerPrincipal,
  PersonField,
  PersonWith,
} from '@casewatch/contracts';
import { ApiError, type Bus, fetchPeople, type Logger } from '@casewatch/platform';

/** What a list shows of people. Null: deleted. `user` is null if the caller may not see names. */
export type PageOfPeople = { of(userId: number): { language: Language; user: NamedUser | null } | null };

/** Questions to identity. */
export type Identity = {
  /**
   * The user that a path names: the caller, or a user of the calling partner.
   * @throws ApiError user_not_found, also for any other user; service_unavailable if identity does not answer
   */
  fetchUserOf<F extends PersonField>(
    caller: Caller,
    userId: number,
    fields: readonly F[],
  ): Promise<PersonWith<F | 'partner_id'>>;
  /** Null if the user is deleted. */
  findUser<F extends PersonField>(userId: number, fields: readonly F[]): Promise<PersonWith<F> | null>;
  /**
   * The people of one page of a partner's list. A caller who may see names gets no list without them; for others, everybody is
   * shown in English while identity does not answer.
   * @throws ApiError service_unavailable if identity does not answer
   */
  pageOfPeople(caller: PartnerPrincipal, userIds: readonly number[]): Promise<PageOfPeople>;
};

const languagesDeadlineMs = 1_000;

export function createIdentity(bus: Bus, log: Logger): Identity {
  async function findUser<F extends PersonField>(userId: number, fields: readonly F[]) {
    return (await fetchPeople(bus, [userId], { fields })).get(userId) ?? null;
  }
  return {
    findUser,
    async fetchUserOf(caller, userId, fields) {
      if (caller.kind === 'user' && caller.user_id !== userId) throw new ApiError('user_not_found');
      const user = await findUser(userId, ['partner_id', ...fields]);
      if (user === null || (caller.kind === 'partner' && caller.partner_id !== user.partner_id))
        throw new ApiError('user_not_found');
      return user;
    },
    async pageOfPeople({ partner_id: partnerId, scopes }, userIds) {
      if (scopes.includes('users:read')) {
        const fields = ['preferred_language', 'name', 'email'] as const;
        const found = await fetchPeople(bus, userIds, { fields, partnerId });
        return pageOf(found, ({ id, name, email }) => ({ id, name, email }));
      }
      const question = {
        fields: ['preferred_language'],
        partnerId,
        deadlineMs: languagesDeadlineMs,
      } as const;
      try {
        return pageOf(await fetchPeople(bus, userIds, question), () => null);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        log.info({ partner: partnerId, err: error }, 'identity.people unavailable; showing English');
        return { of: () => ({ language: 'en', user: null }) };
      }
    },
  };
}

function pageOf<P extends PersonWith<'preferred_language'>>(
  people: ReadonlyMap<number, P>,
  userOf: (person: P) => NamedUser | null,
): PageOfPeople {
  return {
    of(userId) {
      const person = people.get(userId);
      return person ? { language: person.preferred_language, user: userOf(person) } : null;
    },
  };
}
