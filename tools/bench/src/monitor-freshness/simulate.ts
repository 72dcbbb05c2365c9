import { type Quota, reservedFor } from '../../../../services/monitor/src/domain/quota.ts';
import { createTokenBucket } from '../../../../services/monitor/src/domain/token-bucket.ts';
import type { History } from './histories.ts';
import type { Oldest, Policy } from './policies.ts';
import { createQueue } from './queue.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const hoursAhead = 1;

/** `from`, `to`: the judged days. `learners`: the policy learns from the checks of so many receipts. */
type Options = {
  policy: Policy;
  histories: readonly History[];
  quota: Quota;
  from: number;
  to: number;
  learners: number;
};

/** Delays in hours of the changes of the judged days, and the used part of the quota of these days. */
export type Result = { delays: number[]; used: number };

/**
 * Nobody makes live checks: the day's quota is released to scheduled checks as the day passes. The simulation ends when all judged
 * changes are seen; an end on day `to` would leave out the longest delays.
 */
export function simulate({ policy, histories, quota, from, to, learners }: Options): Result {
  const queues = Array.from({ length: policy.queues }, createQueue);
  const shown = new Int32Array(histories.length);
  const place = new Int32Array(histories.length);
  const checkedMs = new Float64Array(histories.length);
  const result: Result = { delays: [], used: 0 };
  const isJudged = (day: number) => day >= from && day < to;
  const judged = histories.reduce((sum, { changes }) => sum + changes.filter(isJudged).length, 0);
  /** The oldest check of each queue. */
  const heads: Oldest[] = queues.map((_, queue) => ({
    queue,
    bucket: policy.bucketOf(queue),
    checkedMs: Number.POSITIVE_INFINITY,
  }));
  const lookAt = (queue: number) => {
    const [head, first] = [heads[queue], queues[queue]?.first()];
    if (head) head.checkedMs = checkedMs[first ?? -1] ?? Number.POSITIVE_INFINITY;
  };
  for (const [receipt, { cells }] of histories.entries()) {
    shown[receipt] = cells[0] ?? 0;
    // Spread over the first day, as if they had been added then.
    checkedMs[receipt] = (receipt / histories.length) * dayMs - dayMs;
    queues[policy.queueOf(shown[receipt] ?? 0)]?.push(receipt);
  }
  for (const queue of queues.keys()) lookAt(queue);

  function check(queue: number, nowMs: number): void {
    const receipt = queues[queue]?.shift() ?? -1;
    const history = histories[receipt];
    if (!history) return;
    let passed = place[receipt] ?? 0;
    for (let day = history.changes[passed]; day !== undefined && day * dayMs <= nowMs; ) {
      if (isJudged(day)) result.delays.push((nowMs - day * dayMs) / (60 * minuteMs));
      passed += 1;
      day = history.changes[passed];
    }
    const [before, after] = [shown[receipt] ?? 0, history.cells[passed] ?? 0];
    const isChanged = passed > (place[receipt] ?? 0);
    if (receipt < learners && nowMs < (policy.learnsUntil ?? 0) * dayMs)
      policy.noteCheck?.(before, isChanged, (nowMs - (checkedMs[receipt] ?? 0)) / dayMs);
    place[receipt] = passed;
    shown[receipt] = after;
    checkedMs[receipt] = nowMs;
    const next = policy.queueOf(after);
    queues[next]?.push(receipt);
    lookAt(queue);
    lookAt(next);
  }

  const tokens = createTokenBucket(Math.max(1, (quota.daily * hoursAhead) / 24), 0);
  let used = 0;
  for (let nowMs = 0; nowMs < to * dayMs || result.delays.length < judged; nowMs += minuteMs) {
    const leftMs = dayMs - (nowMs % dayMs);
    if (leftMs === dayMs) used = 0;
    if (nowMs % (60 * minuteMs) === 0) policy.replan(queues.map((queue) => queue.size()));
    tokens.spread(quota.daily - used, leftMs, nowMs);
    const most = quota.daily - reservedFor(quota, 0, leftMs / dayMs);
    while (tokens.add(0, nowMs) >= 1 && used < most) {
      const next = policy.next(heads, nowMs);
      if (!next) break;
      check(next.queue, nowMs);
      tokens.add(-1, nowMs);
      used += 1;
      if (isJudged(nowMs / dayMs)) result.used += 1;
    }
  }
  result.used /= quota.daily * (to - from);
  return result;
}
