import { type Bucket, dayMs, recheckBucket } from './buckets.ts';
import { type Hours, openTimeOf } from './hours.ts';
import { dueAt, type Plan } from './plan.ts';
import type { NextCheck, NotFound, Receipt } from './receipt.ts';
import { bucketOfStatus, type RateCounters } from './status-rates.ts';

const hourMs = dayMs / 24;
const weekMs = 7 * dayMs;

/** `scale`: MONITOR_INTERVAL_SCALE. */
export type ScheduleParams = { scale: number; plan: Plan; rates: RateCounters; hours: Hours | null };

/** The bucket by what is known of a receipt; null for a rejected one. */
export function bucketOf(receipt: Receipt, now: Date, { rates }: { rates: RateCounters }): Bucket | null {
  if (receipt.state === 'rejected') return null;
  if (!receipt.not_found) return bucketOfStatus(receipt.facts, rates);
  const isYoung = receipt.new_since !== null && now.getTime() - receipt.new_since.getTime() < 7 * dayMs;
  return isYoung ? 'after-6h' : 'after-24h';
}

/** After a check at `now`. A return or a rejection is checked again at its time. */
export function scheduleNext(receipt: Receipt, now: Date, params: ScheduleParams): NextCheck {
  const bucket = bucketOf(receipt, now, params);
  const recheckMs = recheckAtMs(receipt, params.scale);
  if (bucket === null || recheckMs === null) return scheduleIn(bucket, now, params);
  const checkedAt = new Date(recheckMs - params.plan.intervalMs(recheckBucket));
  return scheduleIn(recheckBucket, checkedAt, params);
}

export function scheduleIn(bucket: Bucket | null, checkedAt: Date, { plan }: ScheduleParams): NextCheck {
  if (bucket === null) return { bucket, checked_at: null, next_check_at: null };
  return { bucket, checked_at: checkedAt, next_check_at: dueAt(bucket, checkedAt, plan) };
}

/** Time until the check that confirms a return, ms (monitor.md, "What counts as a change"). */
const confirmAfterMs = 60 * 60 * 1_000;

export function confirmReturn({ returned_at }: Receipt, at: Date, scale: number): boolean {
  return !!returned_at && at.getTime() - returned_at.getTime() >= confirmAfterMs * scale;
}

/** A receipt is rejected after two 422 answers, a day apart. */
export function isRejectedAgain({ state, rejections }: Receipt, at: Date, scale: number): boolean {
  if (state === 'rejected') return true;
  return !!rejections && at.getTime() - rejections.first_at.getTime() >= dayMs * scale;
}

function recheckAtMs({ state, returned_at, rejections }: Receipt, scale: number): number | null {
  if (returned_at) return returned_at.getTime() + confirmAfterMs * scale;
  return rejections && state !== 'rejected' ? rejections.first_at.getTime() + dayMs * scale : null;
}

/** Cases get the state `not_found` after three 404 answers over at least 72 h. */
export function isPermanentlyNotFound({ first_at, count }: NotFound, now: Date, scale: number): boolean {
  return count >= 3 && now.getTime() - first_at.getTime() >= 72 * hourMs * scale;
}

/** Overdue is a receipt without a check for three intervals, at least 48 h, not counting closing hours. */
export function isOverdue(receipt: Receipt, now: Date, params: ScheduleParams): boolean {
  const { hours, scale, plan } = params;
  const bucket = bucketOf(receipt, now, params);
  if (!bucket || !receipt.bucket || receipt.overdue_since !== null) return false;
  const openMs = Math.max(3 * plan.intervalMs(bucket), 48 * hourMs * scale);
  const { openDays, openMs: openADayMs } = openTimeOf(hours);
  const since = Math.max(receipt.last_checked?.getTime() ?? 0, receipt.new_since?.getTime() ?? 0);
  return now.getTime() - since > (openMs * weekMs) / (openDays * openADayMs);
}
