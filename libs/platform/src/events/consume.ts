/**
 * The durable consumers of a service: they fetch events, and each event is acknowledged when its handler is done, or when a
 * row of `failed_events` owns it. An event whose dependency is away goes back to its stream: the stream is the queue. So one
 * event, or one type of event, that cannot be handled holds no other up, and an outage leaves neither rows nor dead events.
 */
import { EventEmitter, once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { consumersOf, type ServiceName, subscriptionsOf } from '@casewatch/contracts';
import {
  type Consumer,
  type ConsumerMessages,
  JetStreamError,
  type JsMsg,
  jetstream,
} from '@nats-io/jetstream';
import type { Meter } from '@opentelemetry/api';
import type { Bus } from '../bus/bus.ts';
import { contextOf, messagingAttributes } from '../bus/context.ts';
import { isTransient } from '../errors.ts';
import type { Connection } from '../store/mongo.ts';
import { isNotFound } from '../streams/declare-streams.ts';
import { importedApi } from '../streams/imported-api.ts';
import { inContext, type Logger } from '../telemetry/logger.ts';
import { failSpan, inSpan } from '../telemetry/spans.ts';
import type { Clock } from '../timing/clock.ts';
import type { Running } from '../timing/every.ts';
import { pause } from '../timing/pause.ts';
import { type ConsumerMetrics, measureConsumers } from './consumer-metrics.ts';
import type { EventCounts, Outcome } from './event-counts.ts';
import { type FailedEvents, failedEvents, reasonOf } from './failed-events.ts';
import { type EventHandlers, framesOf, type Result, tryEvent } from './handle-event.ts';
import { type ReceivedEvent, readMessage } from './received-event.ts';
import { retryEvents } from './retry-events.ts';

export type ConsumerOptions = {
  service: ServiceName;
  bus: Bus;
  connection: Connection;
  /** The connection of leases. */
  leases: Connection;
  clock: Clock;
  log: Logger;
  handlers: EventHandlers;
  /** Events of one consumer in progress at the same time. */
  concurrency?: number;
  /** Factor on the back-off of failed events and on the time after which they are dead. */
  retryScale?: number;
};

type Options = ConsumerOptions & { meter: Meter; counts: EventCounts };

const defaultConcurrency = 16;
/** So many more may wait for their object or their row. */
const mostAside = 100;
const retryMs = 500;
/** Pause before the next pull after one that missed its heartbeats, ms. */
const nextPullMs = 200;
/** Between two heartbeats of an event in progress, ms; JetStream waits 10 s for one. */
const workingMs = 3_000;
/** Waits of an event whose object is not known here yet, before it gets a row, ms. */
const notYetMs = [50, 200, 800];
/** The delay of an event whose dependency is away, ms. With at most 1,000 unacknowledged events that is 33 tries a second. */
const away = { firstMs: 1_000, longestMs: 30_000 };
/** After so many events in a row whose dependency is away, a consumer tries one a second. */
const mostAway = 20;
const probeMs = 1_000;

/** Starts one durable consumer for each stream, and the retries of failed events. @throws Error if a handler is missing */
export function startConsumers(options: Options): Running {
  const { service, handlers } = options;
  for (const type of subscriptionsOf(service).flatMap(({ types }) => types)) {
    if (!handlers[type]) throw new Error(`${service} has no handler for ${type}`);
  }
  const metrics = measureConsumers(options);
  const failed = failedEventsOf(options);
  const stopping = new AbortController();
  const loops = consumersOf(service).map((row) =>
    runConsumer(options, { ...row, failed, metrics }, stopping.signal),
  );
  const retries = retryEvents({ ...options, failed, settled: metrics.retried });
  return {
    async stop() {
      stopping.abort();
      await Promise.all([...loops, retries.stop()]);
    },
  };
}

export function failedEventsOf({ connection, clock, retryScale = 1 }: ConsumerOptions): FailedEvents {
  return failedEvents({ connection, clock, retryScale });
}

type Source = {
  stream: string;
  durable: string;
  failed: FailedEvents;
  metrics: Pick<ConsumerMetrics, 'received' | 'settled'>;
};

/** Passes the events of one consumer to their handlers until it is stopped; then waits for those in progress. */
export async function runConsumer(
  options: ConsumerOptions,
  source: Source,
  signal: AbortSignal,
): Promise<void> {
  const { stream, durable } = source;
  const load: Load = { inProgress: new Set(), aside: 0, ends: new EventEmitter(), awayInARow: 0 };
  while (!signal.aborted) {
    try {
      const consumer = await jetstream(options.bus.connection, importedApi).consumers.get(stream, durable);
      await consumeUntilLost(options, { ...source, consumer, load }, signal);
    } catch (error) {
      const level = isNotFound(error) ? 'debug' : 'warn';
      options.log[level]({ consumer: durable, err: error }, 'consumer not available; trying again');
    }
    await pause(retryMs, signal);
  }
  await Promise.all(load.inProgress);
}

/** `aside`: those of `inProgress` whose handler does not run, because they wait for their object or their row. */
type Load = {
  inProgress: Set<Promise<void>>;
  aside: number;
  /** Emits `end` when a place is free. A race of the promises would leave a reaction at each of them with every wait. */
  ends: EventEmitter;
  awayInARow: number;
};

type Consumption = Source & { consumer: Consumer; load: Load };

/** Fetches only as many events as it can handle in parallel: in a buffer an event would exceed its ack wait. */
async function consumeUntilLost(
  options: ConsumerOptions,
  consumption: Consumption,
  signal: AbortSignal,
): Promise<void> {
  const { log, concurrency = defaultConcurrency } = options;
  const { durable, failed, load } = consumption;
  const isProbing = () => load.awayInARow >= mostAway;
  let wasFull = false;
  while (!signal.aborted) {
    const places = isProbing() ? 1 - load.inProgress.size : concurrency - handlersOf(load);
    if (places <= 0) {
      await once(load.ends, 'end');
      // Events of one batch end together: one fetch replaces all of them.
      await turn();
      continue;
    }
    const isFull = await failed.isFull();
    if (isFull && !wasFull)
      log.error(
        { alarm: 'failed_events_full', consumer: durable },
        'too many failed events; no more are fetched',
      );
    wasFull = isFull;
    if (isFull || isProbing()) await pause(probeMs, signal);
    if (isFull || signal.aborted) continue;
    const messages = await consumption.consumer.fetch({
      max_messages: places,
      expires: 30_000,
      idle_heartbeat: 5_000,
    });
    await takeAll(options, { ...consumption, messages, isProbing }, signal);
  }
}

function handlersOf({ inProgress, aside }: Load): number {
  return inProgress.size - Math.min(aside, mostAside);
}

/** Lets another event have the place of one that waits. */
async function putAside<T>(load: Load, waiting: Promise<T>): Promise<T> {
  load.aside += 1;
  load.ends.emit('end');
  try {
    return await waiting;
  } finally {
    load.aside -= 1;
  }
}

type Pull = Consumption & { messages: ConsumerMessages; isProbing(): boolean };

/** Begins with the events of one pull as they come, until it is over or too many in a row were away. */
async function takeAll(options: ConsumerOptions, pull: Pull, signal: AbortSignal): Promise<void> {
  const { messages, durable, load, metrics, isProbing } = pull;
  const stop = () => messages.stop();
  const wasProbing = isProbing();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    for await (const message of messages) {
      // Another replica gets the event now instead of after the ack wait.
      if (signal.aborted || (isProbing() && !wasProbing)) {
        message.nak(signal.aborted ? undefined : probeMs);
        continue;
      }
      metrics.received(durable, message);
      const work = handleMessage(options, pull, { message, signal }).then((outcome) => {
        metrics.settled(durable, message, outcome);
        load.awayInARow = outcome === 'away' ? load.awayInARow + 1 : 0;
        if (isProbing() && !wasProbing) stop();
        load.inProgress.delete(work);
        load.ends.emit('end');
      });
      load.inProgress.add(work);
    }
  } catch (error) {
    if (!isWithoutHeartbeats(error)) throw error;
    options.log.info({ consumer: durable }, 'pull missed its heartbeats; pulling again');
    await pause(nextPullMs, signal);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** nats-server ends a pull from another account after a message without body and headers, and says nothing (ADR 0031). */
function isWithoutHeartbeats(error: unknown): boolean {
  return error instanceof JetStreamError && error.message === 'heartbeats missed';
}

type Arrived = { message: JsMsg; signal: AbortSignal };

/** Handles one event and settles it at its stream. Never throws. */
async function handleMessage(options: ConsumerOptions, pull: Pull, arrived: Arrived): Promise<Outcome> {
  const { message } = arrived;
  const span = {
    name: `process ${message.subject}`,
    kind: 'consumer' as const,
    attributes: {
      ...messagingAttributes(message.subject),
      'casewatch.delivery': message.info.deliveryCount,
    },
  };
  return await inContext(contextOf(message.headers), () =>
    inSpan(span, async (span) => {
      const outcome = await settle(options, pull, arrived);
      span?.setAttribute('casewatch.outcome', outcome);
      if (span && outcome !== 'done' && outcome !== 'owned') failSpan(span, outcome);
      return outcome;
    }),
  );
}

async function settle(options: ConsumerOptions, pull: Pull, { message, signal }: Arrived): Promise<Outcome> {
  const { log } = options;
  const { failed } = pull;
  const type = message.subject;
  // Keeps the event from redelivery while this replica lives.
  const heartbeat = setInterval(() => message.working(), workingMs);
  try {
    const event = readMessage(message);
    const state = await failed.stateOf(event.key);
    if (state === 'waiting') {
      message.ack();
      return 'owned';
    }
    const result = await tryUntilThere(options, { ...pull, event, message, signal });
    if (result.kind === 'away') {
      log.info({ type, err: result.error }, 'event not handled: dependency not available; trying again');
    } else if (result.kind === 'done') {
      if (state === 'dead') await failed.remove(event.key);
      message.ack();
      return 'done';
    } else {
      await putAside(pull.load, failed.record(event, result));
      message.ack();
      const { kind, error } = result;
      const fields = { type, event: event.key, kind, reason: reasonOf(error) };
      if (kind === 'poison') log.error(fields, 'event moved to dead letters');
      else if (kind === 'failed')
        log.error({ ...fields, at: framesOf(error) }, 'event not handled; trying again');
      else log.info(fields, 'event not handled; trying again');
      return kind === 'poison' ? 'dead' : kind;
    }
  } catch (error) {
    log[isTransient(error) ? 'warn' : 'error'](
      { type, err: error },
      'event failure not stored; the event is redelivered',
    );
  } finally {
    clearInterval(heartbeat);
  }
  message.nak(awayMs(message.info.deliveryCount));
  return 'away';
}

function awayMs(deliveries: number): number {
  return Math.min(away.firstMs * 2 ** Math.min(deliveries - 1, 30), away.longestMs);
}

type Arrival = Arrived & Pick<Pull, 'failed' | 'load'> & { event: ReceivedEvent };

/**
 * Tries an event again whose object is not known here yet: that is routine. While it waits, another event has its place. A
 * row takes care of those that come later still, and of all where many wait.
 */
async function tryUntilThere(options: ConsumerOptions, arrival: Arrival): Promise<Result> {
  const { failed, event, message, load, signal } = arrival;
  const ctx = { ...options, failed };
  let result = await tryEvent(ctx, event, { isRedelivered: message.info.deliveryCount > 1 });
  for (const ms of notYetMs) {
    if (result.kind !== 'not yet' || load.aside >= mostAside || signal.aborted) break;
    await putAside(load, pause(ms, signal));
    result = await tryEvent(ctx, event, { isRedelivered: true });
  }
  return result;
}
