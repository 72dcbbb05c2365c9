import type { EventData, EventTypeOf, ServiceName } from '@casewatch/contracts';
import {
  type Bus,
  createBase,
  type EventHandlers,
  startConsumers,
  startRelay,
  transaction,
} from '@casewatch/platform';
import type { TestMongo } from './start-mongo.ts';
import type { TestNats } from './start-nats.ts';

/** The side of the bus that a service under test does not see: a sibling with its own rights, outbox and relay. */
export type Sibling<S extends ServiceName> = {
  bus: Bus;
  /** Publishes as the service does, through its outbox; `id` names the event. Returns the event's id. */
  publish<T extends EventTypeOf<S>>(type: T, data: EventData<T>, id?: string): Promise<string>;
  /** Consumes as the service does, until it is stopped. */
  consume(handlers: EventHandlers): void;
  stop(): Promise<void>;
};

/** Stands in for a sibling service: it publishes, and answers what the test lets its `bus` serve. */
export async function startSibling<S extends ServiceName>(
  service: S,
  mongo: TestMongo,
  nats: TestNats,
): Promise<Sibling<S>> {
  const settings = { LOG_LEVEL: 'silent', MONGODB_URL: mongo.url(service) };
  const base = await createBase(service, { ...settings, ...nats.user(service) });
  const { bus, log, db } = base;
  const shared = { service, bus, log, connection: db };
  const running = [startRelay(shared)];
  return {
    bus,
    async publish(type, data, id) {
      return await transaction(db, (session) => base.outbox.add(session, type, 'test/1', data, id));
    },
    consume(handlers) {
      running.push(startConsumers({ ...shared, meter: base.meter, handlers }));
    },
    async stop() {
      await Promise.all(running.map((part) => part.stop()));
      await base.stop();
    },
  };
}
