import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { ChangeRates } from '../scheduling/change-rates.ts';

const refreshEveryMs = 60_000;
const collectEveryMs = 20_000;
/** Pause after a collection for each watched receipt, ms: 17 min for a million. */
const pausePerReceiptMs = 1;

/** Every replica solves the plan from the statistics of the sender. */
export function refreshPlan({ planner, log }: Context): Running {
  return every(refreshEveryMs, planner.refresh, (error) => {
    log.warn({ err: error }, 'schedule statistics not read');
  });
}

/** The sender counts the receipts of each bucket, and writes how often statuses changed. */
export function collectStats({ planner, stores, clock, log }: Context, changeRates: ChangeRates): Running {
  let nextAtMs = 0;
  async function collect(): Promise<void> {
    await changeRates.flush();
    if (performance.now() < nextAtMs) return;
    const { buckets } = await stores.scheduleStats.collect(clock.now());
    const watched = buckets.reduce((sum, { receipts }) => sum + receipts, 0);
    nextAtMs = performance.now() + watched * pausePerReceiptMs;
    await planner.refresh();
  }
  return every(collectEveryMs, collect, (error) => {
    log.warn({ err: error }, 'schedule statistics not collected');
  });
}
