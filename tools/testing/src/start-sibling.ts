import type { EventData, EventTypeOf, ServiceName } from '@casewatch/contracts';
import { type Base, type Bus, createBase, type EventHandlers } from '@casewatch/platform';
import { connectAs } from './connect-as.ts';
import { emptyDatabase } from './empty-database.ts';
import { publishToStream } from './publish-to-stream.ts';
import type { TestMongo } from './start-mongo.ts';
import type { TestNats } from './start-nats.ts';

export type Sibling<S extends ServiceName> = {
  bus: Bus;
  /** Publishes with the rights of the service; `id` names the event. @returns the event's id */
  publish<T extends EventTypeOf<S>>(type: T, data: EventData<T>, id?: string): Promise<string>;
  consume(handlers: EventHandlers): Promise<void>;
  stop(): Promise<void>;
};

/** Another service's end of the bus. It has a database only if it consumes. */
export async function startSibling<S extends ServiceName>(
  service: S,
  mongo: TestMongo,
  nats: TestNats,
): Promise<Sibling<S>> {
  const bus = await connectAs(nats, service);
  let base: Base<S> | undefined;
  return {
    bus,
    publish: (type, data, id) => publishToStream(bus, type, data, id),
    async consume(handlers) {
      const settings = { LOG_LEVEL: 'silent', MONGODB_URL: mongo.url(service), ...nats.user(service) };
      base = (await createBase(service, settings, emptyDatabase)) as Base<S>;
      base.consume(handlers);
    },
    async stop() {
      await base?.stop();
      await bus.stop();
    },
  };
}
