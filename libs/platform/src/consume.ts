import {
  deadLetterStreamOf,
  type EventData,
  type EventType,
  envelope,
  events,
  type ServiceName,
  subscriptionsOf,
} from '@casewatch/contracts';
import { type ConsumerMessages, type JsMsg, jetstream } from '@nats-io/jetstream';
import { ZodError } from 'zod';
import type { Bus } from './bus.ts';
import { contextHeaders, contextOf } from './bus-context.ts';
import { isMissing } from './declare-streams.ts';
import { isTransient, LaterError, PoisonError } from './errors.ts';
import { laterDelayMs } from './later-delay.ts';
import { inContext, type Logger } from './logger.ts';
import { pause } from './pause.ts';

/** What a handler knows of a message besides its data. */
export type Delivery = { readonly id: string; readonly time: Date };

/**
 * Returning is *done*. Throwing what is transient (LaterError, a database or sibling away) is *later*: the message
 * comes again with back-off, without limit. Throwing anything else is *poison*: after 5 tries it goes to the dead letters.
 */
export type EventHandler<T extends EventType> = (data: EventData<T>, delivery: Delivery) => Promise<void>;
export type EventHandlers = { [T in EventType]?: EventHandler<T> };

type Options = {
  service: ServiceName;
  bus: Bus;
  log: Logger;
  handlers: EventHandlers;
  concurrency?: number;
};

const workingMs = 3_000;
const poisonTries = 5;

/** Starts every durable subscription of the service: one consumer per stream, as the event registry says. */
export function startConsumers(options: Options): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loops = subscriptionsOf(options.service).map((subscription) =>
    runConsumer(options, subscription, stopping.signal),
  );
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

type Subscription = ReturnType<typeof subscriptionsOf>[number];

async function runConsumer(options: Options, subscription: Subscription, signal: AbortSignal): Promise<void> {
  const { log } = options;
  for (const type of subscription.types) {
    if (!options.handlers[type]) throw new Error(`${options.service} has no handler for ${type}`);
  }
  while (!signal.aborted) {
    try {
      await consumeUntilLost(options, subscription, signal);
    } catch (error) {
      const level = isMissing(error) ? 'debug' : 'warn';
      log[level]({ consumer: subscription.durable, err: error }, 'consumer not available; trying again');
    }
    await pause(500, signal);
  }
}

/** Handles messages until told to stop, or until the consumer is gone (a wiped stream) and must be waited for. */
async function consumeUntilLost(
  options: Options,
  { stream, durable }: Subscription,
  signal: AbortSignal,
): Promise<void> {
  const concurrency = options.concurrency ?? 16;
  const consumer = await jetstream(options.bus.connection).consumers.get(stream, durable);
  const messages = await consumer.consume({
    max_messages: concurrency * 2,
    expires: 10_000,
    idle_heartbeat: 1_000,
  });
  const stop = () => messages.stop();
  signal.addEventListener('abort', stop, { once: true });
  // The end may have come while the consumer was being opened: then nobody hears of it any more.
  if (signal.aborted) stop();
  void closeWhenLost(messages, options.log);
  const running = new Set<Promise<void>>();
  let laterInARow = 0;
  for await (const message of messages) {
    // Asked for but not begun: another replica gets it now instead of when its time is up.
    if (signal.aborted) {
      message.nak();
      continue;
    }
    const work = handleMessage(options, message).then((outcome) => {
      laterInARow = outcome === 'later' ? laterInARow + 1 : 0;
    });
    running.add(work);
    void work.finally(() => running.delete(work));
    if (running.size >= concurrency) await Promise.race(running);
    // What all of them depend on is away: asking for more would only send it back.
    if (laterInARow >= 3) await pause(laterDelayMs(laterInARow - 2), signal);
  }
  signal.removeEventListener('abort', stop);
  await Promise.all(running);
}

async function closeWhenLost(messages: ConsumerMessages, log: Logger): Promise<void> {
  for await (const status of messages.status()) {
    if (
      status.type === 'consumer_deleted' ||
      status.type === 'consumer_not_found' ||
      status.type === 'stream_not_found'
    ) {
      log.warn({ status: status.type }, 'consumer is gone; waiting for it');
      messages.stop();
      return;
    }
  }
}

type Outcome = 'done' | 'later' | 'poison';

async function handleMessage(options: Options, message: JsMsg): Promise<Outcome> {
  return await inContext(contextOf(message.headers), async () => {
    const heartbeat = setInterval(() => message.working(), workingMs);
    try {
      await dispatch(options.handlers, message);
      message.ack();
      return 'done';
    } catch (error) {
      return await settleFailure(options, message, error);
    } finally {
      clearInterval(heartbeat);
    }
  });
}

async function dispatch(handlers: EventHandlers, message: JsMsg): Promise<void> {
  const event = envelope.parse(message.json());
  // NATS rights hold for the subject: a service that publishes may not claim a type of another one.
  if (event.type !== message.subject) throw new PoisonError(`the envelope says ${event.type}`);
  const type = event.type as EventType;
  const handler = handlers[type] as EventHandler<EventType> | undefined;
  // Declared for a newer release, whose replicas are on their way.
  if (!handler) throw new LaterError(`this release has no handler for ${type}`);
  const data = events[type].schema.parse(event.data) as EventData<EventType>;
  await handler(data, { id: event.id, time: new Date(event.time) });
}

async function settleFailure(
  { service, bus, log }: Options,
  message: JsMsg,
  error: unknown,
): Promise<Outcome> {
  const tries = message.info.deliveryCount;
  if (isTransient(error)) {
    log.info({ type: message.subject, tries, err: error }, 'event handled later');
    message.nak(laterDelayMs(tries));
    return 'later';
  }
  log.error({ type: message.subject, tries, err: withoutValues(error) }, 'event could not be handled');
  const againMs = 200 * 2 ** Math.min(tries - 1, 8);
  if (tries < poisonTries) {
    message.nak(againMs);
    return 'poison';
  }
  const hdrs = contextHeaders();
  hdrs.set('x-original-subject', message.subject);
  hdrs.set('x-original-id', message.headers?.get('Nats-Msg-Id') ?? '');
  hdrs.set('x-reason', (error instanceof Error ? error.name : 'unknown').slice(0, 200));
  try {
    await jetstream(bus.connection).publish(deadLetterStreamOf(service).subject, message.data, {
      headers: hdrs,
      timeout: 2_000,
    });
    message.term('poison');
  } catch (failure) {
    log.warn({ err: failure }, 'dead letter not stored; the event comes again');
    message.nak(againMs);
  }
  return 'poison';
}

/** A schema's complaint may quote what it complains of; the log gets the places alone. */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof ZodError)) return error;
  return { name: error.name, places: error.issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`) };
}
