import { createInstruments, type Meter } from '@casewatch/platform';
import type { Capacity } from './domain/capacity.ts';
import { isAboutReceipt, type Outcome } from './domain/outcome.ts';
import type { Priority, QuotaUse } from './domain/quota.ts';
import type { Health } from './domain/upstream-health.ts';
import { monitorMetrics } from './metric-table.ts';
import type { ScheduleStats } from './store/schedule-stats.ts';

/** Read during a scrape, so without a database query; null = not measured yet. */
type ScheduleState = { stats(): ScheduleStats | null; capacity(): Capacity | null };
type SenderState = { health(): Health; quota(): QuotaUse | null };

export function createMetrics(meter: Meter, schedule: ScheduleState) {
  const all = createInstruments(meter, monitorMetrics);
  const [age, interval] = [all['monitor.check_age'], all['monitor.interval']];
  const [watched, overdue] = [all['monitor.watched_receipts'], all['monitor.overdue_receipts']];
  const [needed, available] = [all['monitor.checks.needed'], all['monitor.checks.available']];
  const room = all['monitor.room'];
  const [breaker, pace] = [all['monitor.breaker.open'], all['monitor.pace']];
  const [used, left] = [all['monitor.quota.used'], all['monitor.quota.left']];
  let succeededAtMs: number | null = null;
  let sender: SenderState | null = null;

  meter.addBatchObservableCallback(
    (result) => {
      const [stats, capacity] = [schedule.stats(), schedule.capacity()];
      if (!stats || !capacity) return;
      for (const row of capacity.by_class) result.observe(watched, row.receipts, { class: row.class });
      for (const [quantile, value] of Object.entries(stats.ages ?? {}))
        result.observe(age, value, { class: 'all', quantile });
      for (const kind of ['planned', 'real'] as const)
        for (const [quantile, value] of Object.entries(capacity[kind] ?? {}))
          result.observe(interval, value, { kind, quantile });
      result.observe(overdue, stats.overdue);
      result.observe(needed, capacity.needed_per_day);
      result.observe(available, capacity.available_per_day);
      result.observe(room, capacity.room);
    },
    [age, watched, overdue, interval, needed, available, room],
  );
  meter.addBatchObservableCallback(
    (result) => {
      if (!sender) return;
      const health = sender.health();
      result.observe(breaker, health.breaker === 'open' ? 1 : 0);
      result.observe(pace, health.pace);
      for (const [lane, use] of Object.entries(sender.quota() ?? {})) {
        result.observe(used, use.used, { lane });
        result.observe(left, use.left, { lane });
      }
    },
    [breaker, pace, used, left],
  );
  all['monitor.last_success_age'].addCallback((result) => {
    if (succeededAtMs !== null) result.observe((performance.now() - succeededAtMs) / 1_000);
  });

  return {
    requestDone(lane: Priority, outcome: Outcome): void {
      all['monitor.requests'].add(1, { lane, result: outcome.outcome });
      if (isAboutReceipt(outcome)) succeededAtMs = performance.now();
    },
    changeDetected: (delayMs: number) => all['monitor.detection_delay'].record(Math.max(0, delayMs) / 1_000),
    shareRefused: (caller: 'partner' | 'direct') => all['monitor.shares_refused'].add(1, { caller }),
    neighbourAlarm: () => all['monitor.neighbour_alarms'].add(1),
    unknownTitle: (category: string) => all['monitor.unknown_titles'].add(1, { category }),
    unparseable: () => all['monitor.unparseable_answers'].add(1),
    updateHeld: () => all['monitor.held_updates'].add(1),
    fanOutDone: (lagMs: number) => all['monitor.fan_out_lag'].record(Math.max(0, lagMs) / 1_000),
    /** The gauges of the sender; null: this replica does not send. */
    showSender(state: SenderState | null): void {
      sender = state;
    },
  };
}
