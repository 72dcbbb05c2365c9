import type { Context } from '../context.ts';
import { dayMs } from '../domain/buckets.ts';
import { isSameTitle } from '../domain/case-content.ts';
import type { Answer } from '../domain/outcome.ts';
import { quantilesOf } from '../domain/quantiles.ts';
import { checkedOnce, type RateCounter, statusKeyOf } from '../domain/status-rates.ts';
import type { DueReceipt } from '../store/receipts.ts';
import type { DetectionDelay } from '../store/upstream-control.ts';

const maxDelays = 500;

/** Counts how often each status of each form changes. Lost with the process: the checks of 20 seconds. */
export function createChangeRates({ stores, metrics }: Pick<Context, 'stores' | 'metrics'>) {
  let counted = new Map<string, RateCounter>();
  /** Between the modified date of a new status and its detection, s. */
  let delays: number[] = [];

  return {
    note({ facts, last_checked }: DueReceipt, answer: Answer): void {
      if (answer.outcome !== 'seen' || !facts || !last_checked) return;
      const now = answer.seen.facts;
      const isChanged = !isSameTitle(facts.status_code, now.status_code);
      const days = Math.max(0, answer.checkedAt.getTime() - last_checked.getTime()) / dayMs;
      const key = statusKeyOf(facts);
      counted.set(key, checkedOnce(counted.get(key) ?? { days: 0, changes: 0 }, days, isChanged));
      if (!isChanged || !now.modified_date) return;
      const delayS = Math.max(0, answer.checkedAt.getTime() - Date.parse(now.modified_date)) / 1_000;
      metrics.all['monitor.detection_delay'].record(delayS);
      delays = [...delays, delayS].slice(-maxDelays);
    },
    detectionDelay(): DetectionDelay | null {
      const quantiles = quantilesOf(delays.map((value) => ({ receipts: 1, value })));
      return quantiles && { ...quantiles, changes: delays.length };
    },
    async flush(): Promise<void> {
      const rates = counted;
      counted = new Map();
      await stores.statusRates.add(rates);
    },
  };
}
