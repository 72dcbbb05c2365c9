import { createInstruments, type Meter } from '@casewatch/platform';
import type { EndpointClient, Outcome } from './clients/endpoint.ts';
import { webhooksMetrics } from './metric-table.ts';

/** Read during a scrape, so without a database query; null = not measured yet. */
export type Backlog = { failing: number; disabled: number; oldestOverdueMs: number };

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(meter: Meter) {
  let inFlight = 0;
  let backlog: Backlog | null = null;
  const all = createInstruments(meter, webhooksMetrics);
  all['webhooks.in_flight'].addCallback((result) => result.observe(inFlight));
  all['webhooks.oldest_overdue'].addCallback((result) => {
    if (backlog !== null) result.observe(backlog.oldestOverdueMs / 1_000);
  });
  all['webhooks.endpoints'].addCallback((result) => {
    if (backlog === null) return;
    result.observe(backlog.failing, { state: 'failing' });
    result.observe(backlog.disabled, { state: 'disabled' });
  });

  return {
    deliveryEnded: (outcome: 'delivered' | 'failed') => all['webhooks.deliveries'].add(1, { outcome }),
    showBacklog(measured: Backlog) {
      backlog = measured;
    },
    measured: ({ post, stop }: EndpointClient): EndpointClient => ({
      stop,
      async post(call) {
        inFlight += 1;
        try {
          const outcome = await post(call);
          all['webhooks.attempt_duration'].record(outcome.ms / 1_000, { result: resultOf(outcome) });
          return outcome;
        } finally {
          inFlight -= 1;
        }
      },
    }),
  };
}

/** Labels are a closed set: of a status only its class. */
function resultOf({ error }: Outcome): string {
  return error?.replace(/^(http_\d)\d\d$/, '$1xx') ?? 'delivered';
}
