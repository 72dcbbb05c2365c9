import type { RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { opensAt } from '../domain/circuit.ts';

const maxEndpoints = 20;

/** What an operator needs: overdue deliveries and the endpoints that fail. */
export function answerState({ serviceState, stores }: Context): RequestHandler<'webhooks.state'> {
  return async () => {
    const [common, endpoints, overdueMs, failing] = await Promise.all([
      serviceState(),
      stores.webhookHealth.count(),
      stores.overdue.oldestMs({ circuitOpensAt: opensAt }),
      stores.webhookHealth.failingLongest(maxEndpoints),
    ]);
    return {
      ...common,
      ...endpoints,
      oldest_overdue_seconds: Math.max(0, overdueMs) / 1_000,
      failing_endpoints: failing.map((row) => ({
        id: row._id,
        partner_id: row.partner_id,
        // Paths and queries of endpoints can contain secrets.
        host: new URL(row.url).host,
        failing_since: row.failing_since.toISOString(),
        failures: row.failures,
        error: row.last_error ?? null,
      })),
    };
  };
}
