import type { CaseReply, Language, PersonWith } from '@casewatch/contracts';
import { ApiError, type Bus, fetchPeople, type Logger, NotYetError } from '@casewatch/platform';

type AtLeast = { version?: number; observation?: number };
type UserQuestion = { user_id: number; partner_id: number };

/** What an event tells of a user, besides the id. */
const shownOfUser = [
  'email',
  'name',
  'phone',
  'preferred_language',
  'email_verified_at',
  'notify_by_email',
  'notify_by_whatsapp',
  'status',
  'created_at',
  'updated_at',
  'version',
] as const;

export type ShownUser = PersonWith<(typeof shownOfUser)[number]>;

/** Questions to cases and identity. */
export type Owners = {
  /** Null if the case is deleted. @throws NotYetError if cases has not applied the event's change yet */
  fetchCase(caseId: number, atLeast?: AtLeast): Promise<CaseReply | null>;
  /** The partner's user at `version` or later; null if the user is deleted, or of another partner. */
  fetchUser(user: UserQuestion, version: number): Promise<ShownUser | null>;
  /** English if identity does not answer in time: the event does not wait for a language. */
  fetchLanguage(user: UserQuestion): Promise<Language>;
};

const languageDeadlineMs = 500;

export function createOwners(bus: Bus, log: Logger): Owners {
  return {
    async fetchCase(caseId, { version = 0, observation = 0 } = {}) {
      const question = { ids: [caseId], at_least: { version, observation } };
      const [found] = (await bus.request('cases.cases', question)).cases;
      if (!found) return null;
      if (found.version >= version && (found.latest_observation ?? 0) >= observation) return found;
      throw new NotYetError('cases has not applied this change yet');
    },
    async fetchUser({ user_id, partner_id: partnerId }, version) {
      const people = await fetchPeople(bus, [user_id], { fields: shownOfUser, partnerId });
      const user = people.get(user_id) ?? null;
      if (user && user.version < version) throw new NotYetError('identity has not applied this change yet');
      return user;
    },
    async fetchLanguage({ user_id, partner_id: partnerId }) {
      const question = { fields: ['preferred_language'], partnerId, deadlineMs: languageDeadlineMs } as const;
      try {
        return (await fetchPeople(bus, [user_id], question)).get(user_id)?.preferred_language ?? 'en';
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        log.debug({ user: user_id, err: error }, 'identity.people unavailable; using English');
        return 'en';
      }
    },
  };
}
