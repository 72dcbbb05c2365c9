import { type EventData, type EventType, events } from '@casewatch/contracts';
import { ZodError } from 'zod';
import { isTransient, NotYetError, PoisonError, RetryLaterError } from '../errors.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { FailedEvents, Failure } from './failed-events.ts';
import { placesOf, type ReceivedEvent } from './received-event.ts';

/**
 * `isRedelivered`: a handler may have had this event before. `waitedMs`: how long its service has tried it, while the service
 * ran; 0 until it has a row.
 */
export type Delivery = {
  readonly id: string;
  readonly time: Date;
  readonly isRedelivered?: boolean;
  readonly waitedMs?: number;
};

/**
 * Handles an event of a stream, at least once; a core event has no delivery. What it throws decides the outcome
 * (docs/how-a-service-is-built.md): RetryLaterError and transient errors: its dependency is away. NotYetError: its object is not
 * known here yet. PoisonError: it can never be handled. Any other error: a bug.
 */
export type EventHandler<T extends EventType> = (data: EventData<T>, delivery: Delivery) => Promise<void>;
export type EventHandlers = { [T in EventType]?: EventHandler<T> };

/** What became of one try. */
export type Result = { readonly kind: 'done' } | { readonly kind: 'away'; readonly error: unknown } | Failure;

export type TryContext = { handlers: EventHandlers; failed: FailedEvents; log: Logger };

/** Tries an event once. When the event erased a person, it also erases the failed events of that person. Never throws. */
export async function tryEvent(
  { handlers, failed }: TryContext,
  event: ReceivedEvent,
  delivery: Pick<Delivery, 'isRedelivered' | 'waitedMs'>,
): Promise<Result> {
  try {
    const { type, data, id, time } = parse(handlers, event);
    const handler = handlers[type] as EventHandler<EventType>;
    await handler(data, { id, time, ...delivery });
    if (type === 'user.deleted' || type === 'erasure.recorded') {
      const erasure = data as EventData<'user.deleted'> & Partial<EventData<'erasure.recorded'>>;
      const erasedAt = erasure.erased_at === undefined ? time : new Date(erasure.erased_at);
      await failed.erase({ user_id: erasure.user_id, erased_at: erasedAt });
    }
    return { kind: 'done' };
  } catch (error) {
    return { kind: kindOf(error), error };
  }
}

/** For the log: stack frames without the message, which may contain personal data. */
export function framesOf(error: unknown): string[] | undefined {
  return error instanceof Error ? error.stack?.split('\n    at ').slice(1, 6) : undefined;
}

function parse(handlers: EventHandlers, { envelope, fault }: ReceivedEvent) {
  if (!envelope) throw fault ?? new PoisonError('the event has no envelope');
  const type = envelope.type as EventType;
  // During a roll-out the registry may be that of the next release.
  if (!handlers[type]) throw new RetryLaterError(`this release has no handler for ${type}`);
  return { type, data: dataOf(type, envelope.data), id: envelope.id, time: new Date(envelope.time) };
}

function dataOf(type: EventType, data: unknown): EventData<EventType> {
  try {
    return events[type].schema.parse(data) as EventData<EventType>;
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    throw new PoisonError(`the event breaks its schema (${placesOf(error)})`);
  }
}

function kindOf(error: unknown): 'away' | Failure['kind'] {
  if (error instanceof NotYetError) return 'not yet';
  if (error instanceof PoisonError) return 'poison';
  return isTransient(error) ? 'away' : 'failed';
}
