import { type Connection, createErasedUserStore } from '@casewatch/platform/database';
import { createCallerCheckStore } from './caller-checks.ts';
import { createCallerShareStore } from './caller-shares.ts';
import { createFanOutStore } from './fan-outs.ts';
import { createReceiptStore } from './receipts.ts';
import { createScheduleStatsStore } from './schedule-stats.ts';
import { createStatusRateStore } from './status-rates.ts';
import { createUnknownTitleStore } from './unknown-titles.ts';
import { createBudgetStore } from './upstream-budget.ts';
import { createControlStore } from './upstream-control.ts';
import { createWatchStore } from './watches.ts';

export type Stores = ReturnType<typeof createStores>;

export function createStores(db: Connection) {
  return {
    receipts: createReceiptStore(db),
    scheduleStats: createScheduleStatsStore(db),
    statusRates: createStatusRateStore(db),
    unknownTitles: createUnknownTitleStore(db),
    watches: createWatchStore(db),
    fanOuts: createFanOutStore(db),
    budget: createBudgetStore(db),
    control: createControlStore(db),
    callerShares: createCallerShareStore(db),
    callerChecks: createCallerCheckStore(db),
    erasedUsers: createErasedUserStore(db),
  };
}
