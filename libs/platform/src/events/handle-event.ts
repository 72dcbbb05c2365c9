import { type EventData, type EventType, envelope, events } from '@casewatch/contracts';
import type { JsMsg } from '@nats-io/jetstream';
import { ZodError } from 'zod';
import { contextOf, messagingAttributes } from '../bus/context.ts';
import { PoisonError, RetryLaterError } from '../errors.ts';
import { inContext } from '../telemetry/logger.ts';
import { failSpan, inSpan } from '../telemetry/spans.ts';
import { originalSubject, placesOf } from './dead-letters.ts';
import { type FailureContext, type Outcome, settleFailure } from './settle-failure.ts';

/** `isRedelivered`: the stream has delivered this message before. */
export type Delivery = { readonly id: string; readonly time: Date; readonly isRedelivered?: boolean };

/**
 * Handles an event of a stream, at least once; a core event has no delivery. Its errors decide the outcome (architecture.md §3):
 * RetryLaterError and transient errors: redelivered without limit. NotYetError: redelivered, a dead letter after an hour.
 * PoisonError: a dead letter immediately. Any other error: redelivered, a dead letter after 30 minutes.
 */
export type EventHandler<T extends EventType> = (data: EventData<T>, delivery: Delivery) => Promise<void>;
export type EventHandlers = { [T in EventType]?: EventHandler<T> };

/** Handles one event and acknowledges it, or settles its failure. Never throws. */
export async function handleEvent(
  ctx: FailureContext & { handlers: EventHandlers },
  message: JsMsg,
): Promise<Outcome> {
  return await inContext(contextOf(message.headers), () =>
    inSpan(spanOf(message), async (span) => {
      const outcome = await handleAndSettle(ctx, message);
      span?.setAttribute('casewatch.outcome', outcome);
      if (span && outcome !== 'done') failSpan(span, outcome);
      return outcome;
    }),
  );
}

async function handleAndSettle(
  ctx: FailureContext & { handlers: EventHandlers },
  message: JsMsg,
): Promise<Outcome> {
  const { handlers, times } = ctx;
  // Keeps the event from redelivery while this replica lives.
  const heartbeat = setInterval(() => message.working(), times.workingMs);
  try {
    await dispatch(handlers, message);
    message.ack();
    return 'done';
  } catch (error) {
    return await settleFailure(ctx, message, error);
  } finally {
    clearInterval(heartbeat);
  }
}

function spanOf(message: JsMsg) {
  const type = originalSubject(message);
  return {
    name: `process ${type}`,
    kind: 'consumer' as const,
    attributes: { ...messagingAttributes(type), 'casewatch.delivery': message.info.deliveryCount },
  };
}

async function dispatch(handlers: EventHandlers, message: JsMsg): Promise<void> {
  const event = parseEvent(() => envelope.parse(message.json()));
  // NATS rights protect the subject, so the envelope may not claim another type.
  if (event.type !== originalSubject(message))
    throw new PoisonError(`the envelope has the type ${event.type}`);
  const type = event.type as EventType;
  const handler = handlers[type] as EventHandler<EventType> | undefined;
  // During a roll-out the registry may be that of the next release.
  if (!handler) throw new RetryLaterError(`this release has no handler for ${type}`);
  const data = parseEvent(() => events[type].schema.parse(event.data)) as EventData<EventType>;
  const { id, time } = event;
  await handler(data, { id, time: new Date(time), isRedelivered: message.info.deliveryCount > 1 });
}

function parseEvent<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ZodError)) throw new PoisonError('the event is not JSON', { cause: error });
    throw new PoisonError(`the event breaks its schema (${placesOf(error)})`);
  }
}
