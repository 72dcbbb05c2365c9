import type { CaseReply, Person } from '@casewatch/contracts';
import { servePeople, startSibling, type TestNats } from '@casewatch/testing';

/** The four siblings, with what cases and identity know. */
export async function startSiblings(nats: TestNats) {
  const [identity, cases, monitor, notifier] = await Promise.all([
    startSibling('identity', nats),
    startSibling('cases', nats),
    startSibling('monitor', nats),
    startSibling('notifier', nats),
  ]);
  const knownCases = new Map<number, CaseReply>();
  const knownUsers = new Map<number, Person>();
  cases.bus.serve('cases.cases', async ({ ids }) => ({
    cases: ids.flatMap((id) => knownCases.get(id) ?? []),
  }));
  servePeople(identity.bus, (id) => knownUsers.get(id));
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
