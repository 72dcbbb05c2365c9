import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { opensAt } from '../domain/circuit.ts';

const intervalMs = 10_000;

/** Measures endpoints and overdue deliveries, so that a scrape never waits for MongoDB. */
export function measureBacklog(ctx: Context): Running {
  const { webhookHealth, overdue } = ctx.stores;
  return every(
    intervalMs,
    async () => {
      const [endpoints, oldestOverdueMs] = await Promise.all([
        webhookHealth.count(),
        overdue.oldestMs({ circuitOpensAt: opensAt }),
      ]);
      ctx.metrics.showBacklog({ ...endpoints, oldestOverdueMs });
    },
    (error) => ctx.log.debug({ err: error }, 'webhook metrics not updated'),
  );
}
