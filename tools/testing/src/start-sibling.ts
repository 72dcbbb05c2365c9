import type { EventData, EventTypeOf, ServiceName } from '@casewatch/contracts';
import type { Bus, EventHandlers } from '@casewatch/platform';
import { connectAs } from './connect-as.ts';
import { consumeStreams } from './consume-streams.ts';
import { publishToStream } from './publish-to-stream.ts';
import type { TestNats } from './start-nats.ts';

export type Sibling<S extends ServiceName> = {
  bus: Bus;
  /** Publishes with the rights of the service; `id` names the event, `time` is now if left out. @returns the event's id */
  publish<T extends EventTypeOf<S>>(type: T, data: EventData<T>, id?: string, time?: Date): Promise<string>;
  /** Passes the events of the service's consumers to `handlers`. Those without a handler are acknowledged. */
  consume(handlers: EventHandlers): Promise<void>;
  stop(): Promise<void>;
};

/** Another service's end of the bus. */
export async function startSibling<S extends ServiceName>(service: S, nats: TestNats): Promise<Sibling<S>> {
  const bus = await connectAs(nats, service);
  return {
    bus,
    publish: (type, data, id, time) => publishToStream(bus, type, data, id, time),
    consume: (handlers) => consumeStreams(bus, handlers),
    stop: () => bus.stop(),
  };
}
