import { consumersOf, type ServiceName, subscriptionsOf } from '@casewatch/contracts';
import { type Consumer, jetstream } from '@nats-io/jetstream';
import type { Bus } from '../bus/bus.ts';
import type { Connection } from '../store/mongo.ts';
import { isMissing } from '../streams/declare-streams.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Meter } from '../telemetry/meter.ts';
import { pause } from '../timing/pause.ts';
import { type ConsumerMetrics, measureConsumers } from './consumer-metrics.ts';
import { eventFailures } from './event-failures.ts';
import { type EventHandlers, handleEvent } from './handle-event.ts';
import { type EventTimes, eventTimes } from './settle-failure.ts';

type Options = {
  service: ServiceName;
  bus: Bus;
  connection: Connection;
  log: Logger;
  meter: Meter;
  handlers: EventHandlers;
  times?: EventTimes;
};

/** How many events of one stream a replica handles at once. */
const concurrency = 16;

/**
 * Starts every durable consumer of the service: one per stream, as the event registry says, and one for replayed dead
 * letters.
 * @throws Error where a handler is missing
 */
export function startConsumers(options: Options): { stop(): Promise<void> } {
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
      await Promise.all([...loops, metrics.stop()]);
    },
  };
}

/** Opens the consumer again whenever it is lost: a wiped stream, a connection, a server that restarts. */
async function runConsumer(
  options: Options,
  { stream, durable }: { stream: string; durable: string },
  metrics: ConsumerMetrics,
  signal: AbortSignal,
): Promise<void> {
  const running = new Set<Promise<void>>();
  while (!signal.aborted) {
    try {
      const consumer = await jetstream(options.bus.connection).consumers.get(stream, durable);
      await consumeUntilLost(options, { consumer, durable, running, metrics }, signal);
    } catch (error) {
      const level = isMissing(error) ? 'debug' : 'warn';
      options.log[level]({ consumer: durable, err: error }, 'consumer not available; trying again');
    }
    await pause(500, signal);
  }
  await Promise.all(running);
}

type Consuming = {
  consumer: Consumer;
  durable: string;
  running: Set<Promise<void>>;
  metrics: ConsumerMetrics;
};

/** Asks only for as many events as can be handled at once: an event that waits in a buffer outlives its ack wait. */
async function consumeUntilLost(
  { times = eventTimes, connection, ...options }: Options,
  { consumer, durable, running, metrics }: Consuming,
  signal: AbortSignal,
): Promise<void> {
  const settling = { ...options, times, failures: eventFailures(connection) };
  while (!signal.aborted) {
    if (running.size >= concurrency) await Promise.race(running);
    const free = concurrency - running.size;
    const messages = await consumer.fetch({ max_messages: free, expires: 10_000, idle_heartbeat: 1_000 });
    const stop = () => messages.stop();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    for await (const message of messages) {
      // Another replica gets it now instead of after the ack wait.
      if (signal.aborted) {
        message.nak();
        continue;
      }
      metrics.received(durable, message);
      const work = handleEvent(settling, message).then((outcome) => {
        metrics.settled(durable, message, outcome);
        running.delete(work);
      });
      running.add(work);
    }
    signal.removeEventListener('abort', stop);
  }
}
