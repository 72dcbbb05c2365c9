import { EventEmitter, once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { consumersOf, type ServiceName, subscriptionsOf } from '@casewatch/contracts';
import { type Consumer, JetStreamError, jetstream } from '@nats-io/jetstream';
import type { Meter } from '@opentelemetry/api';
import type { Bus } from '../bus/bus.ts';
import type { Connection } from '../store/mongo.ts';
import { isNotFound } from '../streams/declare-streams.ts';
import { importedApi } from '../streams/imported-api.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Running } from '../timing/every.ts';
import { pause } from '../timing/pause.ts';
import { type ConsumerMetrics, measureConsumers } from './consumer-metrics.ts';
import type { EventCounts } from './event-counts.ts';
import { eventFailures } from './event-failures.ts';
import { type EventHandlers, handleEvent } from './handle-event.ts';
import { type EventTimes, eventTimes } from './settle-failure.ts';

export type ConsumerOptions = {
  service: ServiceName;
  bus: Bus;
  connection: Connection;
  log: Logger;
  handlers: EventHandlers;
  /** Events of one consumer in progress at the same time. */
  concurrency?: number;
  times?: EventTimes;
};

type Options = ConsumerOptions & { meter: Meter; counts: EventCounts };

const defaultConcurrency = 16;
const retryMs = 500;
/** Pause before the next pull after one that missed its heartbeats, ms. */
const nextPullMs = 200;

/** Starts one durable consumer for each stream, and one for replayed dead letters. @throws Error if a handler is missing */
export function startConsumers(options: Options): Running {
  const { service, handlers } = options;
  for (const type of subscriptionsOf(service).flatMap(({ types }) => types)) {
    if (!handlers[type]) throw new Error(`${service} has no handler for ${type}`);
  }
  const metrics = measureConsumers(options);
  const stopping = new AbortController();
  const loops = consumersOf(service).map((row) => runConsumer(options, row, metrics, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

/** Passes the events of one consumer to their handlers until it is stopped; then waits for those in progress. */
export async function runConsumer(
  options: ConsumerOptions,
  { stream, durable }: { stream: string; durable: string },
  metrics: ConsumerMetrics,
  signal: AbortSignal,
): Promise<void> {
  const inProgress = new Set<Promise<void>>();
  const ends = new EventEmitter();
  while (!signal.aborted) {
    try {
      const consumer = await jetstream(options.bus.connection, importedApi).consumers.get(stream, durable);
      await consumeUntilLost(options, { consumer, durable, inProgress, ends, metrics }, signal);
    } catch (error) {
      const level = isNotFound(error) ? 'debug' : 'warn';
      options.log[level]({ consumer: durable, err: error }, 'consumer not available; trying again');
    }
    await pause(retryMs, signal);
  }
  await Promise.all(inProgress);
}

type Consumption = {
  consumer: Consumer;
  durable: string;
  inProgress: Set<Promise<void>>;
  /** Emits `end` when a handler ends. A race of their promises would leave a reaction at each of them with every wait. */
  ends: EventEmitter;
  metrics: ConsumerMetrics;
};

/** Fetches only as many events as it can handle in parallel: in a buffer an event would exceed its ack wait. */
async function consumeUntilLost(
  { times = eventTimes, concurrency = defaultConcurrency, connection, ...options }: ConsumerOptions,
  { consumer, durable, inProgress, ends, metrics }: Consumption,
  signal: AbortSignal,
): Promise<void> {
  const ctx = { ...options, times, failures: eventFailures(connection) };
  while (!signal.aborted) {
    if (inProgress.size >= concurrency) {
      await once(ends, 'end');
      // Events of one batch end together: one fetch replaces all of them.
      await turn();
    }
    const free = concurrency - inProgress.size;
    const messages = await consumer.fetch({ max_messages: free, expires: 30_000, idle_heartbeat: 5_000 });
    const stop = () => messages.stop();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      for await (const message of messages) {
        // Another replica gets the event now instead of after the ack wait.
        if (signal.aborted) {
          message.nak();
          continue;
        }
        metrics.received(durable, message);
        const work = handleEvent(ctx, message).then((outcome) => {
          metrics.settled(durable, message, outcome);
          inProgress.delete(work);
          ends.emit('end');
        });
        inProgress.add(work);
      }
    } catch (error) {
      if (!isWithoutHeartbeats(error)) throw error;
      options.log.info({ consumer: durable }, 'pull missed its heartbeats; pulling again');
      await pause(nextPullMs, signal);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

/** nats-server ends a pull from another account after a message without body and headers, and says nothing (ADR 0031). */
function isWithoutHeartbeats(error: unknown): boolean {
  return error instanceof JetStreamError && error.message === 'heartbeats missed';
}
