import type { Meter } from '@opentelemetry/api';
import type { Connection } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createInstrument } from '../telemetry/metric-table.ts';
import { platformMetrics } from '../telemetry/platform-metrics.ts';
import type { Clock } from '../timing/clock.ts';
import { every, type Running } from '../timing/every.ts';
import { outboxModel } from './outbox.ts';

const updateMs = 10_000;

type Options = { meter: Meter; connection: Connection; clock: Clock; log: Logger };

/** Measures the outbox. A loop reads the database, so that a scrape never waits for it. */
export function measureOutbox({ meter, connection, clock, log }: Options): Running {
  const model = outboxModel(connection);
  let oldestAt: Date | undefined;
  let refused = 0;
  createInstrument(meter, platformMetrics, 'outbox.lag').addCallback((result) => {
    result.observe(oldestAt ? Math.max(0, clock.now().getTime() - oldestAt.getTime()) / 1_000 : 0);
  });
  createInstrument(meter, platformMetrics, 'outbox.refused').addCallback((result) => result.observe(refused));

  async function update(): Promise<void> {
    const [oldest, refusals] = await Promise.all([
      model.findOne({ published_at: null }, { created_at: 1 }).sort({ _id: 1 }).lean(),
      model.countDocuments({ refused_at: { $type: 'date' } }),
    ]);
    oldestAt = oldest?.created_at;
    refused = refusals;
  }

  return every(updateMs, update, (error) => log.debug({ err: error }, 'outbox metrics not updated'));
}
