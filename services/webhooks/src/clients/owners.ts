import type { CaseQuestion, CaseReply, Language, RequestData, UserReply } from '@casewatch/contracts';
import { maxBatch } from '@casewatch/contracts';
import { ApiError, type Bus, createBatch, type Logger, NotYetError } from '@casewatch/platform';

type AtLeast = Partial<CaseQuestion['at_least']>;
type UserQuestion = RequestData<'identity.partner_user'>;

/** Questions to cases and identity. Parallel questions become one request. */
export type Owners = {
  /** Null if the case is deleted. @throws NotYetError if cases has not applied the event's change yet */
  fetchCase(caseId: number, atLeast?: AtLeast): Promise<CaseReply | null>;
  /** The user at `version` or later; null if the user is deleted. */
  fetchUser(user: UserQuestion, version: number): Promise<UserReply | null>;
  /** English if identity does not answer in time: the event does not wait for a language. */
  fetchLanguage(user: UserQuestion): Promise<Language>;
};

const batch = { size: maxBatch, gathers: true, holdMs: 2 };
/** How long an early question is repeated before its event is redelivered, ms. cases waits up to 200 ms before each answer. */
const patienceMs = 1_000;
const languageDeadlineMs = 500;

export function createOwners(bus: Bus, log: Logger): Owners {
  const askCases = (questions: readonly CaseQuestion[]) => requestCases(bus, questions);
  const ask = createBatch(askCases, batch);
  // Apart from new questions: cases waits only while all questions of a request are early.
  const askAgain = createBatch(askCases, batch);
  const askUser = createBatch((users: readonly UserQuestion[]) => requestUsers(bus, users), batch);
  const askLanguage = createBatch((users: readonly UserQuestion[]) => requestLanguages(bus, users), batch);

  return {
    async fetchCase(case_id, { version = 0, observation = 0 } = {}) {
      const question = { case_id, at_least: { version, observation } };
      const giveUpAt = performance.now() + patienceMs;
      let answer = await ask(question);
      while (answer === undefined && performance.now() < giveUpAt) answer = await askAgain(question);
      if (answer === undefined) throw new NotYetError('cases has not applied this change yet');
      return answer;
    },
    async fetchUser(user, version) {
      const reply = await askUser(user);
      if (reply && reply.version < version) throw new NotYetError('identity has not applied this change yet');
      return reply;
    },
    async fetchLanguage(user) {
      try {
        return (await askLanguage(user)) ?? 'en';
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        log.debug({ user: user.user_id, err: error }, 'identity.partner_users unavailable; using English');
        return 'en';
      }
    },
  };
}

async function requestCases(
  bus: Bus,
  questions: readonly CaseQuestion[],
): Promise<(CaseReply | null | undefined)[]> {
  const { answers } = await bus.request('cases.cases', { cases: [...questions] });
  const found = new Map(answers.map(({ question, found }) => [question, found]));
  return questions.map((_, i) => found.get(i));
}

async function requestUsers(bus: Bus, users: readonly UserQuestion[]): Promise<(UserReply | null)[]> {
  const reply = await bus.request('identity.partner_users', { users: [...users] });
  return users.map((_, i) => reply.users[i] ?? null);
}

async function requestLanguages(bus: Bus, users: readonly UserQuestion[]): Promise<(Language | null)[]> {
  const question = { users: [...users], languages_only: true };
  const reply = await bus.request('identity.partner_users', question, { deadlineMs: languageDeadlineMs });
  return users.map((_, i) => reply.languages?.[i] ?? null);
}
