import { type Bucket, rateBuckets } from '../../../../services/monitor/src/domain/buckets.ts';
import { mostUrgent, type Plan, planFor } from '../../../../services/monitor/src/domain/plan.ts';
import {
  bucketOfStatus,
  checkedOnce,
  type RateCounter,
  statusKeyOf,
} from '../../../../services/monitor/src/domain/status-rates.ts';
import type { Cell } from './flows.ts';

/** Receipts stand in queues; the oldest check of a queue is its first, Infinity in an empty queue. */
export type Oldest = { queue: number; bucket: Bucket; checkedMs: number };

export type Policy = {
  name: string;
  queues: number;
  /** The queue of a receipt whose last check showed this cell. */
  queueOf(cell: number): number;
  bucketOf(queue: number): Bucket;
  /** Once an hour: the number of receipts in each queue. */
  replan(sizes: readonly number[]): void;
  next(oldest: readonly Oldest[], nowMs: number): Oldest | undefined;
  /** The last check, `days` ago, showed the cell `before`. Called until day `learnsUntil`. */
  noteCheck?(before: number, isChanged: boolean, days: number): void;
  learnsUntil?: number;
};

type Options = { cells: readonly Cell[]; perDay: number };

/** The product: its rates, its buckets, its plan, its order. It counts changes until day `learnsUntil`. */
export function bucketPolicy({ cells, perDay }: Options, name: string, learnsUntil: number): Policy {
  const counters = new Map<string, RateCounter>();
  const shown = cells.map(({ title, form }) => ({ status_code: title, form_type: form }));
  const keys = shown.map(statusKeyOf);
  const queueOfCell = () => shown.map((status) => rateBuckets.indexOf(bucketOfStatus(status, counters)));
  let queueOf = queueOfCell();
  let plan: Plan = planFor(new Map(), { perDay, scale: 1 });
  return {
    name,
    learnsUntil,
    queues: rateBuckets.length,
    queueOf: (cell) => queueOf[cell] ?? 0,
    bucketOf: (queue) => rateBuckets[queue] ?? '',
    replan(sizes) {
      const counts = new Map(sizes.map((size, queue) => [rateBuckets[queue] ?? '', size]));
      plan = planFor(counts, { perDay, scale: 1 });
      queueOf = queueOfCell();
    },
    next: (oldest, nowMs) => mostUrgent(oldest, nowMs, plan),
    noteCheck(before, isChanged, days) {
      const key = keys[before] ?? '';
      counters.set(key, checkedOnce(counters.get(key) ?? { days: 0, changes: 0 }, days, isChanged));
    },
  };
}

/** One queue: whatever was checked longest ago. */
export function uniformPolicy(): Policy {
  return {
    name: 'uniform',
    queues: 1,
    queueOf: () => 0,
    bucketOf: () => '',
    replan: () => {},
    next: ([first]) => first,
  };
}

const fineStep = 1.2;
const slowest = 1e-6;
const longestMs = 30 * 24 * 60 * 60 * 1_000;

/** Intervals ∝ 1/√rate with the true rates of the judged days: a bound that no policy can know. */
export function optimalPolicy({ cells }: Options): Policy {
  const queueOf = cells.map(({ perDay }) =>
    Math.max(0, Math.round(Math.log(Math.max(perDay, slowest) / slowest) / Math.log(fineStep))),
  );
  const queues = Math.max(...queueOf) + 1;
  const weights = Array.from({ length: queues }, (_, queue) => Math.sqrt(slowest * fineStep ** queue));
  return {
    name: 'optimum',
    queues,
    queueOf: (cell) => queueOf[cell] ?? 0,
    bucketOf: () => '',
    replan: () => {},
    next(oldest, nowMs) {
      let best: Oldest | undefined;
      let bestUrgency = Number.NEGATIVE_INFINITY;
      for (const candidate of oldest) {
        const waitedMs = nowMs - candidate.checkedMs;
        const urgency = waitedMs >= longestMs ? Number.MAX_VALUE : waitedMs * (weights[candidate.queue] ?? 0);
        if (urgency > bestUrgency) [best, bestUrgency] = [candidate, urgency];
      }
      return best;
    },
  };
}
