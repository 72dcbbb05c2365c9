import { matchStatus } from '@casewatch/contracts';
import type { Cell } from './flows.ts';
import type { Oldest, Policy } from './policies.ts';

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;

/** The schedule until ADR 0040: fixed intervals by class, which one factor extends if the quota is too small. */
const intervals = {
  hot: 4 * hourMs,
  normal: dayMs,
  settling: 12 * hourMs,
  slow: 7 * dayMs,
  stop: 30 * dayMs,
};
const names = Object.keys(intervals) as (keyof typeof intervals)[];
const base = names.map((name) => intervals[name]);

/** Of the quota, 15 % were kept for live checks, and 5 % of the rest for retries. */
const planned = 0.85 * 0.95;
const maxHot = 3;
const maxFactor = 10;

export function formerClasses({ cells, perDay }: { cells: readonly Cell[]; perDay: number }): Policy {
  const queueOf = cells.map(({ title }) =>
    names.indexOf(matchStatus(title).knownStatus?.poll_class ?? 'normal'),
  );
  let factors = { hot: 1, others: 1 };
  const intervalOf = (queue: number) => (base[queue] ?? dayMs) * (queue === 0 ? factors.hot : factors.others);
  return {
    name: 'former classes',
    queues: names.length,
    queueOf: (cell) => queueOf[cell] ?? 1,
    bucketOf: () => '',
    replan(sizes) {
      const needs = sizes.map((size, queue) => (size * dayMs) / (base[queue] ?? dayMs));
      const [hot = 0, ...others] = needs;
      factors = factorsFor(
        hot,
        others.reduce((sum, need) => sum + need, 0),
        perDay * planned,
      );
    },
    next(oldest, nowMs) {
      let latest: { oldest: Oldest; intervals: number } | undefined;
      for (const candidate of oldest) {
        const waited = (nowMs - candidate.checkedMs) / intervalOf(candidate.queue);
        if (waited >= 1 && waited > (latest?.intervals ?? 0))
          latest = { oldest: candidate, intervals: waited };
      }
      return latest?.oldest;
    },
  };
}

function factorsFor(hot: number, others: number, perDay: number): { hot: number; others: number } {
  const shared = Math.max(1, (hot + others) / perDay);
  if (shared <= maxHot || shared >= maxFactor) return { hot: shared, others: shared };
  const leftToOthers = perDay - hot / maxHot;
  if (others <= leftToOthers * maxFactor)
    return { hot: maxHot, others: Math.max(maxHot, others / leftToOthers) };
  return { hot: hot / (perDay - others / maxFactor), others: maxFactor };
}
