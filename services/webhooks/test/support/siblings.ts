import type { CaseReply, UserReply } from '@casewatch/contracts';
import { startSibling, type TestNats } from '@casewatch/testing';

/** The four siblings, with what cases and identity know. */
export async function startSiblings(nats: TestNats) {
  const [identity, cases, monitor, notifier] = await Promise.all([
    startSibling('identity', nats),
    startSibling('cases', nats),
    startSibling('monitor', nats),
    startSibling('notifier', nats),
  ]);
  const knownCases = new Map<number, CaseReply>();
  const knownUsers = new Map<number, UserReply>();
  cases.bus.serve('cases.cases', async ({ cases: questions }) => ({
    answers: questions.flatMap(({ case_id, at_least }, question) => {
      const found = knownCases.get(case_id) ?? null;
      const isEarly =
        found && (found.version < at_least.version || (found.latest_observation ?? 0) < at_least.observation);
      return isEarly ? [] : [{ question, found }];
    }),
  }));
  identity.bus.serve('identity.partner_users', async ({ users }) => ({
    users: users.map(({ user_id, partner_id }) => {
      const known = knownUsers.get(user_id);
      return known?.partner_id === partner_id ? known : null;
    }),
  }));
  return {
    identity,
    cases,
    monitor,
    notifier,
    knownCases,
    knownUsers,
    async stop() {
      await Promise.all([identity, cases, monitor, notifier].map((sibling) => sibling.stop()));
    },
  };
}

export type Siblings = Awaited<ReturnType<typeof startSiblings>>;
