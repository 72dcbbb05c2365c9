import { consumersOf, deadLetterStreamOf, type ServiceName } from '@casewatch/contracts';
import { type JsMsg, jetstreamManager } from '@nats-io/jetstream';
import type { Bus } from '../bus/bus.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Meter } from '../telemetry/meter.ts';
import { every } from '../timing/every.ts';
import type { Outcome } from './settle-failure.ts';

type Options = { service: ServiceName; bus: Bus; log: Logger; meter: Meter };

const lookEveryMs = 10_000;

/** One consumer as this replica last saw it. */
type Seen = { pending: number; received: Map<number, number> };

export type ConsumerMetrics = {
  received(durable: string, message: JsMsg): void;
  settled(durable: string, message: JsMsg, outcome: Outcome): void;
  stop(): Promise<void>;
};

/**
 * Measures the service's consumers: what became of events, how many wait, the age of the oldest, and the dead letters.
 * JetStream is asked every 10 s, beside the scrape, so that a server that hangs does not stop all metrics.
 */
export function measureConsumers({ service, bus, log, meter }: Options): ConsumerMetrics {
  const consumers = consumersOf(service);
  const seen = new Map(
    consumers.map(({ durable }): [string, Seen] => [durable, { pending: 0, received: new Map() }]),
  );
  let deadLetters = 0;
  const outcomes = meter.createCounter('events.outcomes', {
    description: 'Events handled, by consumer and outcome: done, away, not yet, failed, dead',
  });
  gauge('events.pending', 'Events that a consumer has not handled yet', ({ pending }) => pending);
  gauge('events.oldest', 'Age of the oldest event that this replica has received and not handled, s', ageOf);
  meter
    .createObservableGauge('events.dead_letters', { description: 'Events that the service could not handle' })
    .addCallback((result) => result.observe(deadLetters));

  function gauge(name: string, description: string, measure: (consumer: Seen) => number): void {
    meter.createObservableGauge(name, { description }).addCallback((result) => {
      for (const [consumer, state] of seen) result.observe(measure(state), { consumer });
    });
  }

  async function look(): Promise<void> {
    const manager = await jetstreamManager(bus.connection, { timeout: 2_000, checkAPI: false });
    for (const { stream, durable } of consumers) {
      const { num_pending, num_ack_pending, ack_floor } = await manager.consumers.info(stream, durable);
      const state = seen.get(durable);
      if (!state) continue;
      state.pending = num_pending + num_ack_pending;
      // Another replica has handled what lies below.
      for (const seq of state.received.keys()) if (seq <= ack_floor.stream_seq) state.received.delete(seq);
    }
    const { name, subject } = deadLetterStreamOf(service);
    const { state } = await manager.streams.info(name, { subjects_filter: subject });
    deadLetters = state.subjects?.[subject] ?? 0;
  }

  const looking = every(lookEveryMs, look, (error) =>
    log.debug({ err: error }, 'consumer metrics not updated'),
  );
  return {
    received(durable, message) {
      seen.get(durable)?.received.set(message.seq, message.info.timestampNanos / 1e6);
    },
    settled(durable, message, outcome) {
      outcomes.add(1, { consumer: durable, outcome });
      if (outcome === 'done' || outcome === 'dead') seen.get(durable)?.received.delete(message.seq);
    },
    stop: looking.stop,
  };
}

/** Age of the oldest event, s. The server's clock and ours may differ: never below 0. */
function ageOf({ received }: Seen): number {
  const oldest = Math.min(...received.values());
  return received.size === 0 ? 0 : Math.max(0, (Date.now() - oldest) / 1_000);
}
