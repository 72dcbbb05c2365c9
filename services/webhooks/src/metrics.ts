import type { Meter } from '@casewatch/platform';
import type { EndpointClient, Outcome } from './clients/endpoint.ts';

/** Read during a scrape, so without a database query; null = not measured yet. */
export type Backlog = { failing: number; disabled: number; oldestOverdueMs: number };

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(meter: Meter) {
  let inFlight = 0;
  let backlog: Backlog | null = null;
  const attempts = meter.createHistogram('webhooks.attempt_duration', {
    description: 'Duration of attempts by result: delivered, or the class of the error',
    unit: 's',
    advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15] },
  });
  const deliveries = meter.createCounter('webhooks.deliveries', {
    description: 'Deliveries that ended, by outcome: delivered, or failed after the last attempt',
  });
  gauge('in_flight', 'Attempts in progress in this replica', () => inFlight);
  gauge('oldest_overdue', 'Age of the oldest due delivery that nothing holds back, s', () =>
    backlog === null ? null : backlog.oldestOverdueMs / 1_000,
  );
  meter
    .createObservableGauge('webhooks.endpoints', { description: 'Endpoints by state: failing, disabled' })
    .addCallback((result) => {
      if (backlog === null) return;
      result.observe(backlog.failing, { state: 'failing' });
      result.observe(backlog.disabled, { state: 'disabled' });
    });

  function gauge(name: string, description: string, measure: () => number | null): void {
    meter.createObservableGauge(`webhooks.${name}`, { description }).addCallback((result) => {
      const value = measure();
      if (value !== null) result.observe(value);
    });
  }

  return {
    deliveryEnded: (outcome: 'delivered' | 'failed') => deliveries.add(1, { outcome }),
    showBacklog(measured: Backlog) {
      backlog = measured;
    },
    measured: ({ post, stop }: EndpointClient): EndpointClient => ({
      stop,
      async post(call) {
        inFlight += 1;
        try {
          const outcome = await post(call);
          attempts.record(outcome.ms / 1_000, { result: resultOf(outcome) });
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
