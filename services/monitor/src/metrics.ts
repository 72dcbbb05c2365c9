import { createInstruments, type Meter } from '@casewatch/platform';
import { isAboutReceipt, type Outcome } from './domain/outcome.ts';
import type { Priority, QuotaUse } from './domain/quota.ts';
import type { Health } from './domain/upstream-state.ts';
import { monitorMetrics } from './metric-table.ts';
import type { Planner } from './scheduling/planner.ts';

type Gauge = ReturnType<Meter['createObservableGauge']>;
type Row = readonly [value: number | undefined, labels?: Record<string, string>];
type SenderState = { health(): Health; quota(): QuotaUse | null };

/** Gauges are read during a scrape, so without a database query; a value that is not measured yet has no row. */
export function createMetrics(meter: Meter, { stats, capacity }: Pick<Planner, 'stats' | 'capacity'>) {
  const all = createInstruments(meter, monitorMetrics);
  let succeededAtMs: number | null = null;
  let sender: SenderState | null = null;

  const sinceSuccess = () =>
    succeededAtMs === null ? undefined : (performance.now() - succeededAtMs) / 1_000;
  const breaker = () => sender?.health().breaker;
  const lanes = (kind: 'used' | 'left') =>
    Object.entries(sender?.quota() ?? {}).map(([lane, use]): Row => [use[kind], { lane }]);
  const intervals = (kind: 'planned' | 'real') =>
    Object.entries(capacity()?.[kind] ?? {}).map(([quantile, value]): Row => [value, { kind, quantile }]);

  show(all['monitor.check_age'], () =>
    Object.entries(stats()?.ages ?? {}).map(([quantile, age]) => [age, { class: 'all', quantile }]),
  );
  show(
    all['monitor.watched_receipts'],
    () => capacity()?.by_class.map((row) => [row.receipts, { class: row.class }]) ?? [],
  );
  show(all['monitor.interval'], () => [...intervals('planned'), ...intervals('real')]);
  show(all['monitor.overdue_receipts'], () => [[stats()?.overdue]]);
  show(all['monitor.checks.needed'], () => [[capacity()?.needed_per_day]]);
  show(all['monitor.checks.available'], () => [[capacity()?.available_per_day]]);
  show(all['monitor.room'], () => [[capacity()?.room]]);
  show(all['monitor.breaker.open'], () => [[breaker() && Number(breaker() === 'open')]]);
  show(all['monitor.pace'], () => [[sender?.health().pace]]);
  show(all['monitor.quota.used'], () => lanes('used'));
  show(all['monitor.quota.left'], () => lanes('left'));
  show(all['monitor.last_success_age'], () => [[sinceSuccess()]]);

  return {
    all,
    requestDone(lane: Priority, outcome: Outcome): void {
      all['monitor.requests'].add(1, { lane, result: outcome.outcome });
      if (outcome.outcome === 'unreadable') all['monitor.unparseable_answers'].add(1);
      if (isAboutReceipt(outcome)) succeededAtMs = performance.now();
    },
    /** The gauges of the sender; null: this replica does not send. */
    showSender(state: SenderState | null): void {
      sender = state;
    },
  };
}

function show(gauge: Gauge, read: () => readonly Row[]): void {
  gauge.addCallback((result) => {
    for (const [value, labels] of read()) if (value !== undefined) result.observe(value, labels);
  });
}
