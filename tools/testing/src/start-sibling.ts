import type { EventData, EventTypeOf, ServiceName } from '@casewatch/contracts';
import { type Bus, createBase, type EventHandlers, transaction } from '@casewatch/platform';
import { emptyDatabase } from './empty-database.ts';
import type { TestMongo } from './start-mongo.ts';
import type { TestNats } from './start-nats.ts';

export type Sibling<S extends ServiceName> = {
  bus: Bus;
  /** Publishes through the outbox; `id` names the event. @returns the event's id */
  publish<T extends EventTypeOf<S>>(type: T, data: EventData<T>, id?: string): Promise<string>;
  consume(handlers: EventHandlers): void;
  stop(): Promise<void>;
};

export async function startSibling<S extends ServiceName>(
  service: S,
  mongo: TestMongo,
  nats: TestNats,
): Promise<Sibling<S>> {
  const settings = { LOG_LEVEL: 'silent', MONGODB_URL: mongo.url(service) };
  const base = await createBase(service, { ...settings, ...nats.user(service) }, emptyDatabase);
  base.startPublishing();
  return {
    bus: base.bus,
    async publish(type, data, id) {
      return await transaction(base.db, (session) => base.outbox.add(session, type, 'test/1', data, id));
    },
    consume: base.consume,
    stop: base.stop,
  };
}
