import type { CaseReply, EventData, EventTypeOf, ServiceName, UserReply } from '@casewatch/contracts';
import { ApiError, createBase, startRelay, transaction } from '@casewatch/platform';
import type { TestMongo, TestNats } from '@casewatch/testing';

/** A sibling's side of the bus: its rights, its outbox, its relay. */
async function startSibling<S extends ServiceName>(service: S, mongo: TestMongo, nats: TestNats) {
  const settings = { LOG_LEVEL: 'silent', MONGODB_URL: mongo.url(service), STREAM_REPLICAS: 1 };
  const base = await createBase(service, { ...settings, ...nats.user(service) });
  const { bus, log, db } = base;
  const relay = startRelay({ service, bus, log, connection: db, replicas: 1 });
  return {
    bus,
    /** Publishes as the service does; `id` names the event. */
    async publish<T extends EventTypeOf<S>>(type: T, data: EventData<T>, id?: string): Promise<string> {
      return await transaction(db, (session) => base.outbox.add(session, type, 'test/1', data, id));
    },
    async stop() {
      await relay.stop();
      await base.stop();
    },
  };
}

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
  identity.bus.serve('identity.user', async ({ user_id }) => {
    const known = knownUsers.get(user_id);
    if (!known) throw new ApiError('user_not_found');
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
