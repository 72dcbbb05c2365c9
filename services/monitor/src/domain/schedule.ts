import { afterADay, afterAnHour, type Bucket, dayMs } from './buckets.ts';
import { type Hours, openTimeOf } from './hours.ts';
import type { Plan } from './plan.ts';
import type { NextCheck, NotFound, Receipt } from './receipt.ts';
import { bucketOfStatus, type RateCounters } from './status-rates.ts';

export type ScheduleParams = { plan: Plan; rates: RateCounters; hours: Hours | null };

/** The bucket by what is known of a receipt; null for a rejected one. */
export function bucketOf(
  receipt: Receipt,
  now: Date,
  { rates }: Pick<ScheduleParams, 'rates'>,
): Bucket | null {
  if (receipt.state === 'rejected') return null;
  if (!receipt.not_found) return bucketOfStatus(receipt.facts, rates);
  const isYoung = receipt.new_since !== null && now.getTime() - receipt.new_since.getTime() < 7 * dayMs;
  return isYoung ? 'after-6h' : afterADay;
}

/** After a check at `now`. A return or a rejection waits for the check that confirms it. */
export function scheduleNext(receipt: Receipt, now: Date, params: ScheduleParams): NextCheck {
  const { state, returned_at, rejections } = receipt;
  if (returned_at) return scheduleIn(afterAnHour, returned_at, params);
  if (rejections && state !== 'rejected') return scheduleIn(afterADay, rejections.first_at, params);
  return scheduleIn(bucketOf(receipt, now, params), now, params);
}

export function scheduleIn(bucket: Bucket | null, checked_at: Date, { plan }: ScheduleParams): NextCheck {
  if (bucket === null) return { bucket, checked_at: null, next_check_at: null };
  return { bucket, checked_at, next_check_at: new Date(checked_at.getTime() + plan.intervalMs(bucket)) };
}

/** A return counts if a check after an hour shows it too (monitor.md, "What counts as a change"). */
export function confirmReturn({ returned_at }: Receipt, at: Date, { plan }: ScheduleParams): boolean {
  return !!returned_at && at.getTime() - returned_at.getTime() >= plan.intervalMs(afterAnHour);
}

/** A receipt is rejected after two 422 answers, a day apart. */
export function isRejectedAgain({ state, rejections }: Receipt, at: Date, { plan }: ScheduleParams): boolean {
  if (state === 'rejected') return true;
  return !!rejections && at.getTime() - rejections.first_at.getTime() >= plan.intervalMs(afterADay);
}

/** Cases get the state `not_found` after three 404 answers over at least 72 h. */
export function isPermanentlyNotFound(
  { first_at, count }: NotFound,
  at: Date,
  { plan }: ScheduleParams,
): boolean {
  return count >= 3 && at.getTime() - first_at.getTime() >= 3 * plan.intervalMs(afterADay);
}

/** Overdue is a receipt without a check for three intervals, at least 48 h, not counting closing hours. */
export function isOverdue(receipt: Receipt, now: Date, params: ScheduleParams): boolean {
  const { hours, plan } = params;
  const bucket = bucketOf(receipt, now, params);
  if (!bucket || !receipt.bucket || receipt.overdue_since !== null) return false;
  const openMs = Math.max(3 * plan.intervalMs(bucket), 2 * plan.intervalMs(afterADay));
  const { openDays, openMs: openADayMs } = openTimeOf(hours);
  const since = Math.max(receipt.last_checked?.getTime() ?? 0, receipt.new_since?.getTime() ?? 0);
  return now.getTime() - since > (openMs * 7 * dayMs) / (openDays * openADayMs);
}
