import type { Connection } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Meter } from '../telemetry/meter.ts';
import { every } from '../timing/every.ts';
import { outboxModel } from './outbox.ts';

const measureMs = 2_000;

type Options = { meter: Meter; connection: Connection; clock: { now(): Date }; log: Logger };

/**
 * `outbox.lag`, s: the age of the oldest event that is not published yet; 0 when there is none. `outbox.refused`: events that
 * their stream refuses. Measured by a loop: a scrape does not wait for the database, it gets what was measured last.
 */
export function measureOutbox({ meter, connection, clock, log }: Options): { stop(): Promise<void> } {
  const model = outboxModel(connection);
  let oldestAt: Date | undefined;
  let refused = 0;
  const lag = { unit: 's', description: 'Age of the oldest event that is not published yet' };
  meter.createObservableGauge('outbox.lag', lag).addCallback((result) => {
    result.observe(oldestAt ? Math.max(0, clock.now().getTime() - oldestAt.getTime()) / 1_000 : 0);
  });
  const count = { description: 'Events that their stream refuses; they are tried again every 5 s' };
  meter.createObservableGauge('outbox.refused', count).addCallback((result) => result.observe(refused));

  async function measure(): Promise<void> {
    const [oldest, refusals] = await Promise.all([
      model.findOne({ published_at: null }, { created_at: 1 }).sort({ _id: 1 }).lean(),
      model.countDocuments({ refused_at: { $type: 'date' } }),
    ]);
    oldestAt = oldest?.created_at;
    refused = refusals;
  }

  return every(measureMs, measure, (error) => log.debug({ err: error }, 'outbox metrics not updated'));
}
