import { consumersOf, type ServiceName } from '@casewatch/contracts';
import type { JsMsg } from '@nats-io/jetstream';
import type { Meter } from '@opentelemetry/api';
import type { Bus } from '../bus/bus.ts';
import type { Connection } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createInstrument } from '../telemetry/metric-table.ts';
import { platformMetrics } from '../telemetry/platform-metrics.ts';
import { readAtScrape } from '../telemetry/read-at-scrape.ts';
import { managerOf, pendingOf } from './consumer-states.ts';
import type { EventCounts, Outcome } from './event-counts.ts';
import { countDeadLetters, countRows } from './failed-events.ts';

type Options = {
  service: ServiceName;
  bus: Bus;
  connection: Connection;
  log: Logger;
  meter: Meter;
  counts: EventCounts;
};

const updateMs = 10_000;
/** Without scrapes, events that other replicas handled stay in the memory: the oldest are dropped from here on. */
const maxReceived = 10_000;

/** `received`: time of each event that this replica has received and not handled, ms, by sequence. */
type ConsumerState = { pending: number; stalled: number; received: Map<number, number> };

export type ConsumerMetrics = {
  received(durable: string, message: JsMsg): void;
  settled(durable: string, message: JsMsg, outcome: Outcome): void;
  /** A failed event was tried again. */
  retried(durable: string, outcome: Outcome): void;
};

export function measureConsumers({ service, bus, connection, log, meter, counts }: Options): ConsumerMetrics {
  const consumers = consumersOf(service);
  const states = new Map(
    consumers.map(({ durable }): [string, ConsumerState] => [
      durable,
      { pending: 0, stalled: 0, received: new Map() },
    ]),
  );
  let deadLetters = 0;
  let waiting = 0;
  const update = readAtScrape(updateMs, read, (error) =>
    log.debug({ err: error }, 'consumer metrics not updated'),
  );
  const outcomes = createInstrument(meter, platformMetrics, 'events.outcomes');
  gauge('events.pending', ({ pending }) => pending);
  gauge('events.oldest', ageOf);
  gauge('events.stalled', ({ stalled }) => stalled);
  createInstrument(meter, platformMetrics, 'events.failed.waiting').addCallback(async (result) => {
    await update();
    result.observe(waiting);
  });
  createInstrument(meter, platformMetrics, 'events.dead_letters').addCallback(async (result) => {
    await update();
    result.observe(deadLetters);
  });

  function gauge(
    name: 'events.pending' | 'events.oldest' | 'events.stalled',
    measure: (state: ConsumerState) => number,
  ): void {
    createInstrument(meter, platformMetrics, name).addCallback(async (result) => {
      await update();
      for (const [consumer, state] of states) result.observe(measure(state), { consumer });
    });
  }

  async function read(): Promise<void> {
    // The rows are counted while NATS is away, too.
    const results = await Promise.allSettled([readRows(), readConsumers()]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  async function readRows(): Promise<void> {
    [waiting, deadLetters] = await Promise.all([
      countRows(connection, 'waiting'),
      countDeadLetters(connection),
    ]);
  }

  async function readConsumers(): Promise<void> {
    const manager = await managerOf(bus);
    for (const { stream, durable } of consumers) {
      const info = await manager.consumers.info(stream, durable);
      const state = states.get(durable);
      if (!state) continue;
      state.pending = pendingOf(info);
      state.stalled = counts.stalledSeconds(info);
      // Another replica has handled events up to the ack floor.
      for (const seq of state.received.keys())
        if (seq <= info.ack_floor.stream_seq) state.received.delete(seq);
    }
  }

  return {
    received(durable, message) {
      const { received } = states.get(durable) ?? {};
      received?.set(message.seq, message.info.timestampNanos / 1e6);
      const [oldest] = received && received.size > maxReceived ? received.keys() : [];
      if (oldest !== undefined) received?.delete(oldest);
    },
    settled(durable, message, outcome) {
      outcomes.add(1, { consumer: durable, outcome });
      counts.add(durable, outcome);
      if (outcome !== 'away') states.get(durable)?.received.delete(message.seq);
    },
    retried: (durable, outcome) => {
      outcomes.add(1, { consumer: durable, outcome });
      counts.add(durable, outcome);
    },
  };
}

function ageOf({ received }: ConsumerState): number {
  const oldest = Math.min(...received.values());
  return received.size === 0 ? 0 : Math.max(0, (Date.now() - oldest) / 1_000);
}
