import type { Meter } from '@casewatch/platform';
import type { Outcome } from '../domain/outcome.ts';
import type { Lane, QuotaUse } from '../domain/quota.ts';
import type { Health } from '../domain/upstream-health.ts';

/** Read while being scraped, so neither may wait for the database; `quota` is null until it was measured. */
type Sending = { health(): Health; quota(): QuotaUse | null };

export type SendingMetrics = ReturnType<typeof createSendingMetrics>;

/** The monitor's metrics of the sending side (monitor.md, Metrics). */
export function createSendingMetrics(meter: Meter) {
  const requests = meter.createCounter('monitor.requests', {
    description: 'Requests to the government by result and lane',
  });
  const latency = meter.createHistogram('monitor.claim_latency', {
    description: 'Time from when a check was wanted to its turn',
    unit: 's',
    advice: { explicitBucketBoundaries: [0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 15, 60, 300] },
  });
  const refused = meter.createCounter('monitor.shares_refused', {
    description: 'Live checks refused because their caller’s share of the day was used',
  });
  const neighbours = meter.createCounter('monitor.neighbour_alarms', {
    description: 'Callers who asked for runs of neighbouring receipt numbers',
  });
  const breaker = meter.createObservableGauge('monitor.breaker.open', {
    description: '1 while the breaker is open, else 0',
  });
  const pace = meter.createObservableGauge('monitor.pace', {
    description: 'Share of the rate that is used, since a spike arrest',
  });
  const used = meter.createObservableGauge('monitor.quota.used', {
    description: 'Requests of today by lane, as counted before they are sent',
  });
  const left = meter.createObservableGauge('monitor.quota.left', {
    description: 'Requests that each lane may still make today',
  });

  return {
    /** An answer, or what came instead of it. */
    answered(lane: Lane, { outcome }: Outcome): void {
      requests.add(1, { lane, result: outcome });
    },
    /** How long a check waited for its turn. */
    claimed(lane: Lane, waitedMs: number): void {
      latency.record(waitedMs / 1_000, { lane });
    },
    /** A live check was refused because its caller's share of the day is used. */
    shareRefused(kind: 'partner' | 'direct'): void {
      refused.add(1, { caller: kind });
    },
    neighboursAsked(): void {
      neighbours.add(1);
    },
    /** The sender shows its state; returns how to stop. */
    show({ health, quota }: Sending): () => void {
      const shown = [breaker, pace, used, left];
      const callback = (result: Parameters<Parameters<Meter['addBatchObservableCallback']>[0]>[0]) => {
        const now = health();
        result.observe(breaker, now.breaker === 'open' ? 1 : 0);
        result.observe(pace, now.pace);
        for (const [lane, use] of Object.entries(quota() ?? {})) {
          result.observe(used, use.used, { lane });
          result.observe(left, use.left, { lane });
        }
      };
      meter.addBatchObservableCallback(callback, shown);
      return () => meter.removeBatchObservableCallback(callback, shown);
    },
  };
}
