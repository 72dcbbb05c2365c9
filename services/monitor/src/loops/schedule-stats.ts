import { every, type Running, warning } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { sumOf } from '../domain/quantiles.ts';
import type { SenderContext } from '../scheduling/sender-context.ts';

const refreshEveryMs = 60_000;
const collectEveryMs = 20_000;
/** Pause after a collection for each watched receipt, ms: 17 min for a million. */
const pausePerReceiptMs = 1;

/** Every replica solves the plan from the statistics of the sender. */
export function refreshPlan({ planner, log }: Context): Running {
  return every(refreshEveryMs, planner.refresh, warning(log, 'schedule statistics not read'));
}

/** The sender counts the receipts of each bucket, and writes how often statuses changed. */
export function collectStats({ planner, stores, clock, log, changeRates }: SenderContext): Running {
  let nextAtMs = 0;
  async function collect(): Promise<void> {
    await changeRates.flush();
    if (performance.now() < nextAtMs) return;
    const { buckets } = await stores.scheduleStats.collect(clock.now());
    nextAtMs = performance.now() + sumOf(buckets) * pausePerReceiptMs;
    await planner.refresh();
  }
  return every(collectEveryMs, collect, warning(log, 'schedule statistics not collected'));
}
