/** G11: how soon a change is seen, and how much of the quota is used: the monitor's plan in simulated time, beside uniform polling. No servers. */
import { readFileSync } from 'node:fs';
import { seededRandom } from '@casewatch/testing';
import { type Bucket, rateBuckets } from '../../../services/monitor/src/domain/buckets.ts';
import { mostUrgent, planFor } from '../../../services/monitor/src/domain/plan.ts';
import { type Quota, reservedFor } from '../../../services/monitor/src/domain/quota.ts';
import {
  bucketOfStatus,
  checkedOnce,
  type RateCounter,
  statusKeyOf,
} from '../../../services/monitor/src/domain/status-rates.ts';
import { createTokenBucket } from '../../../services/monitor/src/domain/token-bucket.ts';
import { judge, median, numberOptions, say } from './kit/report.ts';

/** Receipts with one status and form; `perDay`: how often each changes (data/README.md). */
type Cell = { title: string; form: string; share: number; perDay: number };
/** What happens to one receipt: it is in `cells[i]` until `changes[i]`, days from the start. */
type History = { cells: number[]; changes: number[] };
/** Receipts stand in queues; the oldest check of a queue is its first, Infinity in an empty queue. */
type Oldest = { queue: number; bucket: Bucket; checkedMs: number };
type Policy = {
  queues: number;
  /** The queue of a receipt whose last check showed this cell. */
  queueOf(cell: number): number;
  bucketOf(queue: number): Bucket;
  /** Once an hour: the number of receipts in each queue. */
  replan(sizes: readonly number[]): void;
  next(oldest: readonly Oldest[], nowMs: number): Oldest | undefined;
  /** The last check, `days` ago, showed the cell `before`. */
  noteCheck(before: number, isChanged: boolean, days: number): void;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Receipts, requests a day, and simulated receipts in units of `--receipts`: more where a receipt has few requests. */
const deployments = [
  [1_000, 10_000, 1],
  [10_000, 10_000, 1],
  [50_000, 10_000, 2.5],
  [100_000, 400_000, 1],
  [360_000, 400_000, 1],
  [1_000_000, 400_000, 2.5],
] as const;
/** In this time each receipt is checked: the longest interval is 30 days. */
const seenAfterDays = 35;
const liveShare = 0.15;

const { receipts, days, from, seed } = numberOptions({ receipts: 20_000, days: 70, from: 14, seed: 1 });
const cells = readFlows();
say(`# freshness: ${receipts} simulated receipts or more, days ${from} to ${days}`);
for (const [watched, perDay, units] of deployments) {
  const count = Math.round(receipts * units);
  const daily = Math.round((perDay / watched) * count);
  const histories = historiesOf(count);
  const quota = { daily, share: liveShare, max: 2 * liveShare };
  const uniform = simulate(uniformPolicy(), histories, { quota, learners: 0 });
  const product = simulate(bucketPolicy(daily), histories, { quota, learners: watched });
  const name = `${watched} receipts, ${perDay}/day`;
  say(
    `${name}: mean ${meanOf(product.delays).toFixed(2)} h, p50 ${median(product.delays).toFixed(2)} h, uniform ${meanOf(uniform.delays).toFixed(2)} h`,
  );
  judge(`G11 mean delay ÷ uniform polling, ${name}`, meanOf(product.delays) / meanOf(uniform.delays), {
    atMost: 0.65,
  });
  judge(`G11 quota used, ${name}`, product.used, { atLeast: 0.97 });
}

/** The monitor's rates, buckets, plan and order. It learns from the checks. */
function bucketPolicy(perDay: number): Policy {
  const counters = new Map<string, RateCounter>();
  const statuses = cells.map(({ title, form }) => ({ status_code: title, form_type: form }));
  const keys = statuses.map(statusKeyOf);
  const queuesOfCells = () => statuses.map((status) => rateBuckets.indexOf(bucketOfStatus(status, counters)));
  let queueOf = queuesOfCells();
  let plan = planFor(new Map(), { perDay, scale: 1 });
  return {
    queues: rateBuckets.length,
    queueOf: (cell) => queueOf[cell] ?? 0,
    bucketOf: (queue) => rateBuckets[queue] ?? '',
    replan(sizes) {
      plan = planFor(new Map(sizes.map((size, queue) => [rateBuckets[queue] ?? '', size])), {
        perDay,
        scale: 1,
      });
      queueOf = queuesOfCells();
    },
    next: (oldest, nowMs) => mostUrgent(oldest, nowMs, plan),
    noteCheck(before, isChanged, days) {
      const key = keys[before] ?? '';
      counters.set(key, checkedOnce(counters.get(key) ?? { days: 0, changes: 0 }, days, isChanged));
    },
  };
}

/** One queue: whatever was checked longest ago. */
function uniformPolicy(): Policy {
  const nothing = () => {};
  return {
    queues: 1,
    queueOf: () => 0,
    bucketOf: () => '',
    replan: nothing,
    next: ([first]) => first,
    noteCheck: nothing,
  };
}

type Options = { quota: Quota; learners: number };

/**
 * Delays in hours of the changes of the judged days, and the used part of the quota of these days. Nobody makes live checks: the day's quota
 * is released to scheduled checks as the day passes. It ends when all judged changes are seen; an end on day `days` would leave out the
 * longest delays.
 */
function simulate(policy: Policy, histories: readonly History[], { quota, learners }: Options) {
  const queues = Array.from({ length: policy.queues }, createQueue);
  const shown = Int32Array.from(histories, (history) => history.cells[0] ?? 0);
  const place = new Int32Array(histories.length);
  // Spread over the first day, as if they had been added then.
  const checkedMs = Float64Array.from(histories, (_, i) => (i / histories.length - 1) * dayMs);
  const isJudged = (day: number) => day >= from && day < days;
  const judged = histories.reduce((sum, { changes }) => sum + changes.filter(isJudged).length, 0);
  const delays: number[] = [];
  const heads: Oldest[] = queues.map((_, queue) => ({ queue, bucket: policy.bucketOf(queue), checkedMs: 0 }));
  const readHead = (queue: number) => {
    const [head, first] = [heads[queue], queues[queue]?.first()];
    if (head) head.checkedMs = checkedMs[first ?? -1] ?? Number.POSITIVE_INFINITY;
  };
  for (const receipt of histories.keys()) queues[policy.queueOf(shown[receipt] ?? 0)]?.push(receipt);
  for (const queue of queues.keys()) readHead(queue);

  function check(queue: number, nowMs: number): void {
    const receipt = queues[queue]?.shift() ?? -1;
    const history = histories[receipt];
    if (!history) return;
    const before = place[receipt] ?? 0;
    let passed = before;
    for (
      let day = history.changes[passed];
      day !== undefined && day * dayMs <= nowMs;
      day = history.changes[passed]
    ) {
      if (isJudged(day)) delays.push((nowMs - day * dayMs) / hourMs);
      passed += 1;
    }
    const waitedDays = (nowMs - (checkedMs[receipt] ?? 0)) / dayMs;
    if (receipt < learners) policy.noteCheck(shown[receipt] ?? 0, passed > before, waitedDays);
    place[receipt] = passed;
    shown[receipt] = history.cells[passed] ?? 0;
    checkedMs[receipt] = nowMs;
    const next = policy.queueOf(shown[receipt] ?? 0);
    queues[next]?.push(receipt);
    readHead(queue);
    readHead(next);
  }

  const tokens = createTokenBucket(Math.max(1, quota.daily / 24), 0);
  let [usedToday, used] = [0, 0];
  for (let nowMs = 0; nowMs < days * dayMs || delays.length < judged; nowMs += minuteMs) {
    const leftMs = dayMs - (nowMs % dayMs);
    if (leftMs === dayMs) usedToday = 0;
    if (nowMs % hourMs === 0) policy.replan(queues.map((queue) => queue.size()));
    tokens.spread(quota.daily - usedToday, leftMs, nowMs);
    const most = quota.daily - reservedFor(quota, 0, leftMs / dayMs);
    while (tokens.add(0, nowMs) >= 1 && usedToday < most) {
      const next = policy.next(heads, nowMs);
      if (!next) break;
      check(next.queue, nowMs);
      tokens.add(-1, nowMs);
      usedToday += 1;
      if (isJudged(nowMs / dayMs)) used += 1;
    }
  }
  return { delays, used: used / (quota.daily * (days - from)) };
}

/** First in, first out, without the cost of `Array.shift`. */
function createQueue() {
  let items: number[] = [];
  let head = 0;
  return {
    size: () => items.length - head,
    first: () => items[head],
    push: (item: number) => void items.push(item),
    shift(): number {
      const item = items[head++] ?? -1;
      if (head > 10_000 && head * 2 > items.length) [items, head] = [items.slice(head), 0];
      return item;
    },
  };
}

/**
 * Receipts as they are in the public data: the mix of cells stays the same, because a changed receipt goes to a cell in proportion to the
 * changes out of that cell.
 */
function historiesOf(count: number): History[] {
  const next = seededRandom(seed);
  const random = () => next(2 ** 32) / 2 ** 32;
  const byShare = drawBy(cells.map(({ share }) => share));
  const byChanges = drawBy(cells.map(({ share, perDay }) => share * perDay));
  return Array.from({ length: count }, () => {
    const history: History = { cells: [byShare(random())], changes: [] };
    for (let day = 0; ; ) {
      const rate = cells[history.cells.at(-1) ?? 0]?.perDay ?? 0;
      day += rate === 0 ? Number.POSITIVE_INFINITY : -Math.log(1 - random()) / rate;
      if (day > days + seenAfterDays) return history;
      history.changes.push(day);
      history.cells.push(byChanges(random()));
    }
  });
}

/** Draws an index in proportion to its weight. */
function drawBy(weights: readonly number[]): (random: number) => number {
  let total = 0;
  const sums = weights.map((weight) => {
    total += weight;
    return total;
  });
  return (random) => {
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > random * total) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

function readFlows(): Cell[] {
  const file = new URL('../data/status-form-flows.csv', import.meta.url);
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    // A field is quoted text or has no comma.
    const fields = [...line.matchAll(/"([^"]*)"|([^,]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    const [title = '', form = '', share = '', changes = ''] = fields;
    return { title, form, share: Number(share), perDay: Number(changes) / Number(share) };
  });
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
