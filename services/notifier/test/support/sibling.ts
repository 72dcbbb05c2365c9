import type { EventData, EventTypeOf, ServiceName } from '@casewatch/contracts';
import {
  type Bus,
  connectBus,
  connectMongo,
  createLogger,
  createOutbox,
  outboxModel,
  startRelay,
  transaction,
} from '@casewatch/platform';
import type { TestMongo, TestNats } from '@casewatch/testing';

/** A sibling's end of the bus: its own NATS user, a real outbox, a real relay. */
export type Sibling<S extends ServiceName> = {
  bus: Bus;
  publish<T extends EventTypeOf<S>>(type: T, data: EventData<T>): Promise<void>;
  stop(): Promise<void>;
};

export async function startSibling<S extends ServiceName>(
  service: S,
  mongo: TestMongo,
  nats: TestNats,
): Promise<Sibling<S>> {
  const { NATS_URL: url, NATS_USER: user, NATS_PASSWORD: password } = nats.user(service);
  const log = createLogger(service, 'silent');
  const bus = await connectBus({ service, url, user, password, log });
  const db = await connectMongo(mongo.url(service));
  await outboxModel(db).createCollection();
  await outboxModel(db).createIndexes();
  const outbox = createOutbox(service, db, () => new Date());
  const relay = startRelay({ service, bus, log, replicas: 1, connection: db });
  return {
    bus,
    async publish(type, data) {
      await transaction(db, async (session) => {
        await outbox.add(session, type, 'test/1', data);
      });
    },
    async stop() {
      await relay.stop();
      await bus.stop();
      await db.close();
    },
  };
}
