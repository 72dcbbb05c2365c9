import type { Meter } from '@opentelemetry/api';
import type { Connection } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createInstrument } from '../telemetry/metric-table.ts';
import { platformMetrics } from '../telemetry/platform-metrics.ts';
import { readAtScrape } from '../telemetry/read-at-scrape.ts';
import type { Clock } from '../timing/clock.ts';
import { outboxModel } from './outbox.ts';
import { readGaps } from './stream-loss.ts';

const updateMs = 10_000;

type Options = { meter: Meter; connection: Connection; clock: Clock; log: Logger };

export function measureOutbox({ meter, connection, clock, log }: Options): void {
  const model = outboxModel(connection);
  let oldestAt: Date | undefined;
  let refused = 0;
  let gaps: ReadonlyMap<string, number> = new Map();
  const update = readAtScrape(updateMs, read, (error) =>
    log.debug({ err: error }, 'outbox metrics not updated'),
  );
  createInstrument(meter, platformMetrics, 'outbox.lag').addCallback(async (result) => {
    await update();
    result.observe(oldestAt ? Math.max(0, clock.now().getTime() - oldestAt.getTime()) / 1_000 : 0);
  });
  createInstrument(meter, platformMetrics, 'outbox.refused').addCallback(async (result) => {
    await update();
    result.observe(refused);
  });

  createInstrument(meter, platformMetrics, 'outbox.stream_gaps').addCallback(async (result) => {
    await update();
    for (const [stream, missing] of gaps) result.observe(missing, { stream });
  });

  async function read(): Promise<void> {
    const [oldest, refusals, missing] = await Promise.all([
      model.findOne({ published_at: null }, { created_at: 1 }).sort({ _id: 1 }).lean(),
      model.countDocuments({ refused_at: { $type: 'date' } }),
      readGaps(connection),
    ]);
    oldestAt = oldest?.created_at;
    refused = refusals;
    gaps = missing;
  }
}
