import { matchStatus, type PollClass, type StatusFacts } from '@casewatch/contracts';
import { type Hours, openMomentBefore } from './hours.ts';
import type { Receipt } from './receipt.ts';
import type { ScheduleClass } from './schedule-class.ts';
import { type Stretch, stretchOf } from './stretch.ts';

const hourMs = 60 * 60 * 1_000;
export const dayMs = 24 * hourMs;

const settlingMs = 30 * dayMs;
const dormantAfterMs = 90 * dayMs;

/** Time until the first retry of a failed check, ms. */
const retryMs = 60_000;

const intervals: Record<ScheduleClass, { everyMs: number; jitter: number }> = {
  new: { everyMs: 6 * hourMs, jitter: 0.2 },
  hot: { everyMs: 4 * hourMs, jitter: 0.2 },
  normal: { everyMs: dayMs, jitter: 0.2 },
  settling: { everyMs: 12 * hourMs, jitter: 0.2 },
  slow: { everyMs: 7 * dayMs, jitter: 0.3 },
  dormant: { everyMs: 30 * dayMs, jitter: 0.3 },
  stop: { everyMs: 30 * dayMs, jitter: 0.3 },
};

/** `scale`: MONITOR_INTERVAL_SCALE. `stretch`: factor for a small quota. `random`: 0 to 1. */
export type ScheduleParams = { scale: number; stretch: Stretch; random: () => number };

export type ScheduledReceipt = Pick<Receipt, 'poll_class' | 'since' | 'new_since' | 'not_found'>;

export type NextCheck = Pick<Receipt, 'schedule_class' | 'next_check_at'>;

export function pollClassOf(facts: StatusFacts): PollClass {
  return matchStatus(facts.status_code).knownStatus?.poll_class ?? 'normal';
}

export function classOf(receipt: ScheduledReceipt, now: Date): ScheduleClass {
  const ageMs = receipt.new_since ? now.getTime() - receipt.new_since.getTime() : Number.POSITIVE_INFINITY;
  if (receipt.not_found) return ageMs < 7 * dayMs ? 'new' : 'normal';
  if (ageMs < dayMs) return 'new';
  const isSlow =
    receipt.poll_class === 'slow' ||
    (receipt.poll_class === 'settling' && stateAgeMs(receipt, now) > settlingMs);
  if (!isSlow) return receipt.poll_class;
  return stateAgeMs(receipt, now) > dormantAfterMs ? 'dormant' : 'slow';
}

/** Interval of a class without scale and stretch, ms. */
export function baseIntervalMs(name: ScheduleClass): number {
  return intervals[name].everyMs;
}

export function intervalMs(
  name: ScheduleClass,
  { scale, stretch }: Pick<ScheduleParams, 'scale' | 'stretch'>,
): number {
  return intervals[name].everyMs * scale * stretchOf(name, stretch);
}

export function nextCheckAt(receipt: ScheduledReceipt, now: Date, params: ScheduleParams): Date {
  const name = classOf(receipt, now);
  const factor = 1 + intervals[name].jitter * (2 * params.random() - 1);
  return new Date(now.getTime() + intervalMs(name, params) * factor);
}

/** Class and next check of a receipt that was just checked; null for a rejected receipt. */
export function scheduleNext(
  receipt: ScheduledReceipt & Pick<Receipt, 'state'>,
  now: Date,
  params: ScheduleParams,
): NextCheck {
  if (receipt.state === 'rejected') return { schedule_class: null, next_check_at: null };
  return { schedule_class: classOf(receipt, now), next_check_at: nextCheckAt(receipt, now, params) };
}

/** The next check after a failed one: soon the first time, then at the normal interval. */
export function retryCheckAt(
  receipt: ScheduledReceipt & { failures: number },
  now: Date,
  params: ScheduleParams,
): Date {
  const next = nextCheckAt(receipt, now, params);
  if (receipt.failures > 0) return next;
  const soonMs = now.getTime() + retryMs * (0.5 + params.random());
  return new Date(Math.min(soonMs, next.getTime()));
}

/** Cases get the state `not_found` after three 404 answers over at least 72 h. */
export function isPermanentlyNotFound(
  series: { first_at: Date; count: number },
  now: Date,
  scale: number,
): boolean {
  return series.count >= 3 && now.getTime() - series.first_at.getTime() >= 72 * hourMs * scale;
}

/**
 * A receipt that was last checked before this moment is overdue: three stretched intervals ago, at least 48 h
 * (monitor.md, Schedule). Known closing hours do not count.
 */
export function overdueBefore(
  name: ScheduleClass,
  now: Date,
  { hours, ...params }: Pick<ScheduleParams, 'scale' | 'stretch'> & { hours: Hours | null },
): Date {
  const ms = Math.max(3 * intervalMs(name, params), 48 * hourMs * params.scale);
  return openMomentBefore(hours, now, ms);
}

type CheckTimes = Pick<Receipt, 'schedule_class' | 'last_checked' | 'new_since' | 'overdue_since'>;

export function isOverdue(receipt: CheckTimes, before: Date): boolean {
  if (receipt.schedule_class === null || receipt.overdue_since !== null) return false;
  const since = Math.max(receipt.last_checked?.getTime() ?? 0, receipt.new_since?.getTime() ?? 0);
  return since < before.getTime();
}

function stateAgeMs({ since }: ScheduledReceipt, now: Date): number {
  return since ? now.getTime() - since.getTime() : 0;
}
