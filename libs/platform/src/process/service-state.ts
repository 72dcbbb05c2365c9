import type { ServiceName, ServiceState } from '@casewatch/contracts';
import type { Bus } from '../bus/bus.ts';
import { consumerStates, countDeadLetters } from '../events/consumer-states.ts';
import type { EventCounts } from '../events/event-counts.ts';
import { outboxModel } from '../outbox/outbox.ts';
import type { Connection } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Clock } from '../timing/clock.ts';

type Options = {
  service: ServiceName;
  connection: Connection;
  bus: Bus;
  log: Logger;
  clock: Clock;
  counts: EventCounts;
};

export type ReadServiceState = () => Promise<ServiceState>;

const maxWaiting = 10_000;

/** What an operator sees of a service. A part whose server does not answer is null. */
export function createServiceState(options: Options): ReadServiceState {
  const { clock, log } = options;
  const started_at = clock.now().toISOString();
  const orNull = async <T>(part: string, work: Promise<T>): Promise<T | null> => {
    try {
      return await work;
    } catch (error) {
      log.warn({ part, err: error }, 'service state incomplete');
      return null;
    }
  };
  return async () => {
    const [outbox, consumers, dead_letters] = await Promise.all([
      orNull('outbox', outboxState(options)),
      orNull('consumers', consumerStates(options)),
      orNull('dead letters', countDeadLetters(options)),
    ]);
    return { as_of: clock.now().toISOString(), started_at, outbox, consumers, dead_letters };
  };
}

async function outboxState({ connection, clock }: Options) {
  const model = outboxModel(connection);
  const [waiting, oldest, refused] = await Promise.all([
    model.countDocuments({ published_at: null }, { limit: maxWaiting }),
    model.findOne({ published_at: null }, { created_at: 1 }).sort({ _id: 1 }).lean(),
    model.countDocuments({ refused_at: { $type: 'date' } }, { limit: maxWaiting }),
  ]);
  const ageMs = oldest ? clock.now().getTime() - oldest.created_at.getTime() : 0;
  return { waiting, oldest_seconds: Math.max(0, ageMs) / 1_000, refused };
}
