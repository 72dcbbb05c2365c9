import type { Caller, Language, PersonField, PersonWith } from '@casewatch/contracts';
import { ApiError, type Bus, fetchPeople, type Logger } from '@casewatch/platform';

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
  /** Languages of a partner's users by user id, without deleted users. Null if identity does not answer. */
  findLanguages(partnerId: number, userIds: readonly number[]): Promise<Map<number, Language> | null>;
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
    async findLanguages(partnerId, userIds) {
      const question = {
        fields: ['preferred_language'],
        partnerId,
        deadlineMs: languagesDeadlineMs,
      } as const;
      try {
        const found = await fetchPeople(bus, userIds, question);
        return new Map([...found].map(([id, { preferred_language }]) => [id, preferred_language]));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        log.info({ partner: partnerId, err: error }, 'identity.people unavailable; showing English');
        return null;
      }
    },
  };
}
