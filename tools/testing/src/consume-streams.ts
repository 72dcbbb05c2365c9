import { type EventData, type EventType, envelope, events, subscriptionsOf } from '@casewatch/contracts';
import { type Bus, type EventHandler, type EventHandlers, importedApi } from '@casewatch/platform';
import { type JsMsg, jetstream } from '@nats-io/jetstream';

/** Consumes with the rights and the durable consumers of the bus's service, until the bus stops. It keeps nothing in a database. */
export async function consumeStreams(bus: Bus, handlers: EventHandlers): Promise<void> {
  for (const { stream, durable } of subscriptionsOf(bus.service)) {
    const consumer = await jetstream(bus.connection, importedApi).consumers.get(stream, durable);
    await consumer.consume({ callback: (message) => void pass(message, handlers) });
  }
}

/** An error of a handler is not handled: it ends the test. */
async function pass(message: JsMsg, handlers: EventHandlers): Promise<void> {
  const event = envelope.parse(message.json());
  const type = event.type as EventType;
  const handler = handlers[type] as EventHandler<EventType> | undefined;
  const data = events[type].schema.parse(event.data) as EventData<EventType>;
  await handler?.(data, { id: event.id, time: new Date(event.time) });
  message.ack();
}
