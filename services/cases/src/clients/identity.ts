import {
  type Assignee,
  type Caller,
  type Language,
  maxStaff,
  type NamedUser,
  type PartnerPrincipal,
  type PersonField,
  type PersonWith,
  type StaffField,
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
  /** Those who are not deleted. @throws ApiError service_unavailable if identity does not answer */
  findUsers<F extends PersonField>(
    partnerId: number,
    userIds: readonly number[],
    fields: readonly F[],
  ): Promise<ReadonlyMap<number, PersonWith<F>>>;
  /**
   * The people of one page of a partner's list. A caller who may see names gets no list without them; for others, everybody is
   * shown in English while identity does not answer.
   * @throws ApiError service_unavailable if identity does not answer
   */
  pageOfPeople(caller: PartnerPrincipal, userIds: readonly number[]): Promise<PageOfPeople>;
  /**
   * Who works on the cases of one page. Asks only where somebody does.
   * @throws ApiError service_unavailable if identity does not answer
   */
  assigneesOf(partnerId: number, rows: readonly AssignedRow[]): Promise<Assignees>;
  /**
   * Ids of the partner's users whom a search finds. Nobody for a caller who may not see names: a match would tell them.
   * @throws ApiError service_unavailable if identity does not answer
   */
  findPeople(caller: PartnerPrincipal, q: string): Promise<{ user_ids: number[]; more: boolean }>;
  /** Also of members who were removed. @throws ApiError service_unavailable if identity does not answer */
  namesOfStaff(partnerId: number, ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Who is not removed, by address in lower case. @throws ApiError service_unavailable if identity does not answer */
  staffByEmail(partnerId: number): Promise<ReadonlyMap<string, { id: number; isDisabled: boolean }>>;
  /**
   * A member to whom cases can be assigned.
   * @throws ApiError staff_not_found, also for another partner's member; service_unavailable if identity does not answer
   */
  findMember(partnerId: number, staffId: number): Promise<Member>;
  /**
   * The partner of a user, if an operator set a limit of its active cases; null for a user without a partner, too.
   * @throws ApiError service_unavailable if identity does not answer
   */
  limitedPartner(partnerId: number | null): Promise<{ id: number; caseLimit: number } | null>;
};

type AssignedRow = { assignee_id: number | null };
/** Null for nobody, and for a member who was removed. */
export type Assignees = { of(row: AssignedRow): Assignee };
type Member = NonNullable<Assignee> & { isDisabled: boolean };

const languagesDeadlineMs = 1_000;

export function createIdentity(bus: Bus, log: Logger): Identity {
  async function findUser<F extends PersonField>(userId: number, fields: readonly F[]) {
    return (await fetchPeople(bus, [userId], { fields })).get(userId) ?? null;
  }
  async function askStaff(partner_id: number, ids: readonly number[]) {
    const fields = ['name', 'status', 'removed_at'] as const;
    const unique = [...new Set(ids)];
    const parts = Array.from({ length: Math.ceil(unique.length / maxStaff) }, (_, i) =>
      unique.slice(i * maxStaff, (i + 1) * maxStaff),
    );
    const replies = await Promise.all(
      parts.map((part) => bus.request('identity.staff', { partner_id, ids: part, fields: [...fields] })),
    );
    return replies.flatMap(({ staff }) => staff);
  }
  async function findMembers(partnerId: number, ids: readonly number[]) {
    const staff = await askStaff(partnerId, ids);
    return staff.flatMap(({ id, name = '', status, removed_at }) =>
      removed_at === null ? [{ id, name, isDisabled: status === 'disabled' }] : [],
    );
  }
  return {
    findUser,
    async findUsers(partnerId, userIds, fields) {
      return userIds.length === 0 ? new Map() : await fetchPeople(bus, userIds, { fields, partnerId });
    },
    async findMember(partnerId, staffId) {
      const [member] = await findMembers(partnerId, [staffId]);
      if (!member) throw new ApiError('staff_not_found');
      return member;
    },
    async limitedPartner(partnerId) {
      if (partnerId === null) return null;
      const { case_limit: caseLimit } = await bus.request('identity.partner', { partner_id: partnerId });
      return caseLimit === null ? null : { id: partnerId, caseLimit };
    },
    async findPeople(caller, q) {
      if (!maySeePeople(caller)) return { user_ids: [], more: false };
      return await bus.request('identity.find', { partner_id: caller.partner_id, q });
    },
    async namesOfStaff(partnerId, ids) {
      const staff = ids.length === 0 ? [] : await askStaff(partnerId, ids);
      return new Map(staff.map(({ id, name = '' }) => [id, name]));
    },
    async staffByEmail(partnerId) {
      const byEmail = new Map<string, { id: number; isDisabled: boolean }>();
      let after: number | undefined;
      let hasMore = true;
      while (hasMore) {
        const fields: StaffField[] = ['email', 'status'];
        const reply = await bus.request('identity.staff', { partner_id: partnerId, fields, after });
        for (const { id, email, status } of reply.staff)
          if (email) byEmail.set(email.toLowerCase(), { id, isDisabled: status === 'disabled' });
        after = reply.staff.at(-1)?.id;
        hasMore = reply.has_more && after !== undefined;
      }
      return byEmail;
    },
    async assigneesOf(partnerId, rows) {
      const ids = rows.flatMap(({ assignee_id }) => assignee_id ?? []);
      const members = ids.length === 0 ? [] : await findMembers(partnerId, ids);
      const byId = new Map(members.map(({ id, name }) => [id, { id, name }]));
      return { of: ({ assignee_id }) => byId.get(assignee_id ?? 0) ?? null };
    },
    async fetchUserOf(caller, userId, fields) {
      if (caller.kind === 'user' && caller.user_id !== userId) throw new ApiError('user_not_found');
      const user = await findUser(userId, ['partner_id', ...fields]);
      if (user === null || (caller.kind === 'partner' && caller.partner_id !== user.partner_id))
        throw new ApiError('user_not_found');
      return user;
    },
    async pageOfPeople(caller, userIds) {
      const { partner_id: partnerId } = caller;
      if (maySeePeople(caller)) {
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

/** Whether a caller may see who people are: people themselves, and partners with the scope. */
export function maySeePeople(caller: Caller): boolean {
  return caller.kind === 'user' || caller.scopes.includes('users:read');
}

/** @throws ApiError insufficient_scope for an API key without the scope */
export function assertMaySeePeople(caller: Caller): void {
  if (!maySeePeople(caller))
    throw new ApiError('insufficient_scope', {
      message: 'This API key does not have the scope users:read.',
    });
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
