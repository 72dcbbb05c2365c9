import type { Meter } from '@casewatch/platform';
import type { Capacity } from '../domain/capacity.ts';
import type { Census } from '../store/census.ts';

type Shown = { census(): Census | null; capacity(): Capacity | null };

export type ScheduleMetrics = ReturnType<typeof createScheduleMetrics>;

/** The monitor's metrics of the schedule and of what is known (monitor.md, Metrics); every replica shows the sender's census. */
export function createScheduleMetrics(meter: Meter, { census, capacity }: Shown) {
  const unknown = meter.createCounter('monitor.unknown_titles', {
    description: 'Times that a receipt came to show a title that our table does not know',
  });
  const unparseable = meter.createCounter('monitor.unparseable_answers', {
    description: 'Answers of the government that could not be understood',
  });
  const lateness = meter.createHistogram('monitor.lateness', {
    description: 'Time from when a receipt was due to when its check began to wait for its turn',
    unit: 's',
    advice: { explicitBucketBoundaries: [0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600, 3_600, 21_600, 86_400] },
  });
  const age = meter.createObservableGauge('monitor.check_age', {
    description: 'Age of the last successful check of the watched receipts, by class',
    unit: 's',
  });
  const watched = meter.createObservableGauge('monitor.watched_receipts', {
    description: 'Watched receipts by class',
  });
  const overdue = meter.createObservableGauge('monitor.overdue_receipts', {
    description: 'Receipts that were not checked for too long',
  });
  const stretch = meter.createObservableGauge('monitor.stretch', {
    description: 'Factor by which intervals are stretched because the quota is too small',
  });

  meter.addBatchObservableCallback(
    (result) => {
      const now = census();
      if (!now) return;
      for (const [name, receipts] of Object.entries(now.counts))
        result.observe(watched, receipts, { class: name });
      for (const [name, ages] of Object.entries({ all: now.ages.all, ...now.ages.by_class })) {
        for (const [quantile, seconds] of Object.entries(ages ?? {}))
          result.observe(age, seconds, { class: name, quantile });
      }
      result.observe(overdue, now.overdue);
      const { others, hot } = capacity()?.stretch ?? { others: 1, hot: 1 };
      result.observe(stretch, others, { class: 'others' });
      result.observe(stretch, hot, { class: 'hot' });
    },
    [age, watched, overdue, stretch],
  );

  return {
    /** A receipt came to show a title that our table does not know. */
    unknownTitle: (category: string) => unknown.add(1, { category }),
    /** An answer of the government that could not be understood, even after salvage. */
    unparseable: () => unparseable.add(1),
    /** How late a due receipt was asked for. */
    asked: (lateMs: number) => lateness.record(Math.max(0, lateMs) / 1_000),
  };
}
