import type { Meter } from '@casewatch/platform';
import type { Capacity } from './domain/capacity.ts';
import { isAboutReceipt, type Outcome } from './domain/outcome.ts';
import type { Priority, QuotaUse } from './domain/quota.ts';
import type { Health } from './domain/upstream-health.ts';
import type { ScheduleStats } from './store/schedule-stats.ts';

/** Read during a scrape, so without a database query; null = not measured yet. */
type ScheduleState = { stats(): ScheduleStats | null; capacity(): Capacity | null };
type SenderState = { health(): Health; quota(): QuotaUse | null };

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(meter: Meter, schedule: ScheduleState) {
  const instruments = createInstruments(meter);
  const { requests, claimLatency, lateness, detectionDelay, fanOutLag } = instruments;
  const { breaker, pace, used, left, age, watched, overdue, interval, needed, available, room } = instruments;
  let succeededAtMs: number | null = null;

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
  instruments.successAge.addCallback((result) => {
    if (succeededAtMs !== null) result.observe((performance.now() - succeededAtMs) / 1_000);
  });

  return {
    ...instruments,
    requestDone(lane: Priority, outcome: Outcome): void {
      requests.add(1, { lane, result: outcome.outcome });
      if (isAboutReceipt(outcome)) succeededAtMs = performance.now();
    },
    changeDetected: (delayMs: number) => detectionDelay.record(Math.max(0, delayMs) / 1_000),
    permitGranted: (lane: Priority, waitedMs: number) => claimLatency.record(waitedMs / 1_000, { lane }),
    checkStarted: (lateMs: number) => lateness.record(Math.max(0, lateMs) / 1_000),
    fanOutDone: (lagMs: number) => fanOutLag.record(Math.max(0, lagMs) / 1_000),
    /** Adds the gauges of the sender; returns a function that removes them. */
    showSender({ health, quota }: SenderState): () => void {
      const senderGauges = [breaker, pace, used, left];
      const callback: Parameters<typeof meter.addBatchObservableCallback>[0] = (result) => {
        const state = health();
        result.observe(breaker, state.breaker === 'open' ? 1 : 0);
        result.observe(pace, state.pace);
        for (const [lane, use] of Object.entries(quota() ?? {})) {
          result.observe(used, use.used, { lane });
          result.observe(left, use.left, { lane });
        }
      };
      meter.addBatchObservableCallback(callback, senderGauges);
      return () => meter.removeBatchObservableCallback(callback, senderGauges);
    },
  };
}

function createInstruments(meter: Meter) {
  const gauge = (name: string, description: string, unit = '') =>
    meter.createObservableGauge(`monitor.${name}`, { description, unit });
  const counter = (name: string, description: string) =>
    meter.createCounter(`monitor.${name}`, { description });
  const seconds = (name: string, description: string, explicitBucketBoundaries: number[]) =>
    meter.createHistogram(`monitor.${name}`, {
      description,
      unit: 's',
      advice: { explicitBucketBoundaries },
    });

  return {
    requests: counter('requests', 'Requests to USCIS by result and lane'),
    claimLatency: seconds(
      'claim_latency',
      'Time between the start of a check and its permit to send',
      [0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 15, 60, 300],
    ),
    lateness: seconds(
      'lateness',
      'Time between the due time of a receipt and the start of its check',
      [0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600, 3_600, 21_600, 86_400],
    ),
    detectionDelay: seconds(
      'detection_delay',
      'Time between the modified date of a new status and its detection; USCIS gives the date without a time zone',
      [600, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400, 172_800, 345_600, 691_200],
    ),
    successAge: gauge('last_success_age', 'Time since the last answer of USCIS about a receipt', 's'),
    sharesRefused: counter('shares_refused', 'Live checks refused because the share of the caller is used'),
    neighbourAlarms: counter('neighbour_alarms', 'Callers that checked neighbouring receipt numbers'),
    unknownTitles: counter('unknown_titles', 'Receipts that changed to a title outside the status table'),
    unparseable: counter('unparseable_answers', 'Answers of USCIS that could not be parsed'),
    heldUpdates: counter('held_updates', 'Changed receipts that wait for the decision of an operator'),
    fanOutLag: seconds(
      'fan_out_lag',
      'Time between a changed answer and the event of the last case that got it',
      [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300],
    ),
    breaker: gauge('breaker.open', '1 while the circuit breaker is open, else 0'),
    pace: gauge('pace', 'Share of the rate in use since a spike arrest'),
    used: gauge('quota.used', 'Requests of today by lane, counted before they are sent'),
    left: gauge('quota.left', 'Requests left today by lane'),
    age: gauge('check_age', 'Age of the last successful check of watched receipts', 's'),
    watched: gauge('watched_receipts', 'Watched receipts by class'),
    overdue: gauge('overdue_receipts', 'Receipts without a recent check'),
    interval: gauge('interval', 'Interval between two checks of a receipt, planned and real', 's'),
    needed: gauge('checks.needed', 'Checks per day that the plan makes'),
    available: gauge('checks.available', 'Checks per day that the quota leaves for scheduled checks'),
    room: gauge('room', 'Receipts that can be added before the planned median interval is too long'),
  };
}
