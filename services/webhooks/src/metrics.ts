import { createInstruments, type Logger, type Meter, readAtScrape } from '@casewatch/platform';
import type { EndpointClient, Outcome } from './clients/endpoint.ts';
import { webhooksMetrics } from './metric-table.ts';

type Backlog = { failing: number; disabled: number; oldestOverdueMs: number };

/** Shortest time between two measurements of the backlog, ms. */
const intervalMs = 10_000;

type Sources = { log: Logger; measureBacklog: () => Promise<Backlog> };

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(meter: Meter, { log, measureBacklog }: Sources) {
  let inFlight = 0;
  let backlog: Backlog | null = null;
  const update = readAtScrape(
    intervalMs,
    async () => {
      backlog = await measureBacklog();
    },
    (error) => log.debug({ err: error }, 'webhook metrics not updated'),
  );
  const all = createInstruments(meter, webhooksMetrics);
  all['webhooks.in_flight'].addCallback((result) => result.observe(inFlight));
  all['webhooks.oldest_overdue'].addCallback(async (result) => {
    await update();
    if (backlog !== null) result.observe(backlog.oldestOverdueMs / 1_000);
  });
  all['webhooks.endpoints'].addCallback(async (result) => {
    await update();
    if (backlog === null) return;
    result.observe(backlog.failing, { state: 'failing' });
    result.observe(backlog.disabled, { state: 'disabled' });
  });

  return {
    deliveryEnded: (outcome: 'delivered' | 'failed' | 'cancelled') =>
      all['webhooks.deliveries'].add(1, { outcome }),
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
