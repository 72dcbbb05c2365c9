import type { CaseReply, UserReply } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { startSibling, type TestMongo, type TestNats } from '@casewatch/testing';

/** The four siblings, with what cases and identity know. */
export async function startSiblings(mongo: TestMongo, nats: TestNats) {
  const [identity, cases, monitor, notifier] = await Promise.all([
    startSibling('identity', mongo, nats),
    startSibling('cases', mongo, nats),
    startSibling('monitor', mongo, nats),
    startSibling('notifier', mongo, nats),
  ]);
  const knownCases = new Map<number, CaseReply>();
  const knownUsers = new Map<number, UserReply>();
  cases.bus.serve('cases.case', async ({ case_id }) => {
    const known = knownCases.get(case_id);
    if (!known) throw new ApiError('case_not_found');
    return known;
  });
  identity.bus.serve('identity.partner_user', async ({ user_id, partner_id }) => {
    const known = knownUsers.get(user_id);
    if (known?.partner_id !== partner_id) throw new ApiError('user_not_found');
    return known;
  });
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
