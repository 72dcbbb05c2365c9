import type { StatusFacts } from '@casewatch/contracts';
import { type Bucket, dayMs, recheckBucket } from './buckets.ts';
import { type Hours, openMsBetween } from './hours.ts';
import { dueAt, type Plan } from './plan.ts';
import type { Receipt } from './receipt.ts';
import { bucketOfStatus, type RateCounters } from './status-rates.ts';

const hourMs = dayMs / 24;
const weekMs = 7 * dayMs;

/** `scale`: MONITOR_INTERVAL_SCALE. */
export type ScheduleParams = { scale: number; plan: Plan; rates: RateCounters };

type Shown = Pick<StatusFacts, 'status_code' | 'form_type'>;

export type ScheduledReceipt = Pick<Receipt, 'state' | 'new_since' | 'not_found'> & {
  facts: Shown | null;
};

export type NextCheck = Pick<Receipt, 'bucket' | 'checked_at' | 'next_check_at'>;

/** The bucket by what is known of a receipt; null for a rejected one. */
export function bucketOf(
  receipt: ScheduledReceipt,
  now: Date,
  { rates }: Pick<ScheduleParams, 'rates'>,
): Bucket | null {
  if (receipt.state === 'rejected') return null;
  if (!receipt.not_found) return bucketOfStatus(receipt.facts, rates);
  const isYoung = receipt.new_since !== null && now.getTime() - receipt.new_since.getTime() < 7 * dayMs;
  return isYoung ? 'after-6h' : 'after-24h';
}

export function scheduleNext(receipt: ScheduledReceipt, now: Date, params: ScheduleParams): NextCheck {
  return scheduleIn(bucketOf(receipt, now, params), now, params);
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

/** When a return or a rejection is to be checked again; null if neither is open. */
export function recheckAt({ state, returned_at, rejections }: Receipt, scale: number): Date | null {
  if (returned_at) return new Date(returned_at.getTime() + confirmAfterMs * scale);
  if (rejections && state !== 'rejected') return new Date(rejections.first_at.getTime() + dayMs * scale);
  return null;
}

export function scheduleRecheck(receipt: Receipt, now: Date, params: ScheduleParams): NextCheck {
  const next = scheduleNext(receipt, now, params);
  const recheck = receipt.recheck_at;
  if (next.bucket === null || recheck === null) return next;
  const intervalMs = params.plan.intervalMs(recheckBucket);
  return scheduleIn(recheckBucket, new Date(recheck.getTime() - intervalMs), params);
}

/** Cases get the state `not_found` after three 404 answers over at least 72 h. */
export function isPermanentlyNotFound(
  series: { first_at: Date; count: number },
  now: Date,
  scale: number,
): boolean {
  return series.count >= 3 && now.getTime() - series.first_at.getTime() >= 72 * hourMs * scale;
}

/** Overdue are receipts that were last checked before this moment: three intervals ago, at least 48 h, without closing hours. */
export function overdueBefore(
  receipt: ScheduledReceipt,
  now: Date,
  { hours, ...params }: ScheduleParams & { hours: Hours | null },
): Date {
  const bucket = bucketOf(receipt, now, params);
  const intervalMs = bucket === null ? 0 : params.plan.intervalMs(bucket);
  const openMs = Math.max(3 * intervalMs, 48 * hourMs * params.scale);
  const openAWeekMs = openMsBetween(hours, new Date(now.getTime() - weekMs), now) || weekMs;
  return new Date(now.getTime() - (openMs * weekMs) / openAWeekMs);
}

type CheckTimes = Pick<Receipt, 'bucket' | 'last_checked' | 'new_since' | 'overdue_since'>;

export function isOverdue(receipt: CheckTimes, before: Date): boolean {
  if (!receipt.bucket || receipt.overdue_since !== null) return false;
  const since = Math.max(receipt.last_checked?.getTime() ?? 0, receipt.new_since?.getTime() ?? 0);
  return since < before.getTime();
}
