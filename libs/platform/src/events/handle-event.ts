import { type EventData, type EventType, envelope, events } from '@casewatch/contracts';
import type { JsMsg } from '@nats-io/jetstream';
import { ZodError } from 'zod';
import { contextOf } from '../bus/context.ts';
import { PoisonError, RetryLaterError } from '../errors.ts';
import { inContext } from '../telemetry/logger.ts';
import { originalSubject, placesOf } from './dead-letters.ts';
import { type Outcome, type Settling, settleFailure } from './settle-failure.ts';

/** What a handler knows of an event besides its data. */
export type Delivery = { readonly id: string; readonly time: Date };

/**
 * Returning is *done*. Throwing is one of three (architecture.md §3):
 * - *away*: RetryLaterError, or what `isTransient` knows: a dependency is away. The event comes again, without limit.
 * - *not yet*: NotYetError: the object is not known here yet. The event comes again; after an hour it is a dead letter.
 * - *poison*: PoisonError: the event breaks its schema or an invariant. It is a dead letter at once.
 *
 * Any other error is tried again like *away*, and is a dead letter once it has lasted 30 minutes.
 */
export type EventHandler<T extends EventType> = (data: EventData<T>, delivery: Delivery) => Promise<void>;
export type EventHandlers = { [T in EventType]?: EventHandler<T> };

/** Handles one event and acknowledges it, or settles what was thrown. It never throws. */
export async function handleEvent(
  settling: Settling & { handlers: EventHandlers },
  message: JsMsg,
): Promise<Outcome> {
  const { handlers, times } = settling;
  return await inContext(contextOf(message.headers), async () => {
    // From the receipt on: the event is handed to another replica only if this one dies.
    const heartbeat = setInterval(() => message.working(), times.workingMs);
    try {
      await dispatch(handlers, message);
      message.ack();
      return 'done';
    } catch (error) {
      return await settleFailure(settling, message, error);
    } finally {
      clearInterval(heartbeat);
    }
  });
}

async function dispatch(handlers: EventHandlers, message: JsMsg): Promise<void> {
  const event = read(() => envelope.parse(message.json()));
  // NATS rights hold for the subject: a service that publishes may not claim a type of another one.
  if (event.type !== originalSubject(message)) throw new PoisonError(`the envelope says ${event.type}`);
  const type = event.type as EventType;
  const handler = handlers[type] as EventHandler<EventType> | undefined;
  // Declared for a newer release, whose replicas are on their way.
  if (!handler) throw new RetryLaterError(`this release has no handler for ${type}`);
  const data = read(() => events[type].schema.parse(event.data)) as EventData<EventType>;
  await handler(data, { id: event.id, time: new Date(event.time) });
}

/** @throws PoisonError that names the places, never the values, where the event is not what its schema says */
function read<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ZodError)) throw new PoisonError('the event is not JSON', { cause: error });
    throw new PoisonError(`the event breaks its schema (${placesOf(error)})`);
  }
}
