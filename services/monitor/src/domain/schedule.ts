import { matchStatus, type PollClass, type StatusFacts } from '@casewatch/contracts';
import { type Bucket, dayMs } from './buckets.ts';
import { type Hours, openMomentBefore } from './hours.ts';
import { dueAt, type Plan } from './plan.ts';
import type { Receipt } from './receipt.ts';
import { bucketOfStatus, type RateCounters } from './status-rates.ts';

export { dayMs };

const hourMs = dayMs / 24;

/** `scale`: MONITOR_INTERVAL_SCALE. */
export type ScheduleParams = { scale: number; plan: Plan; rates: RateCounters };

type Shown = Pick<StatusFacts, 'status_code' | 'form_type'>;

export type ScheduledReceipt = Pick<Receipt, 'state' | 'poll_class' | 'new_since' | 'not_found'> & {
  /** Missing in a projection of a receipt without facts. */
  facts?: Shown | null | undefined;
};

export type NextCheck = Pick<Receipt, 'bucket' | 'checked_at' | 'schedule_class' | 'next_check_at'>;

/** Not for the schedule: the release before reads it. */
export function pollClassOf(facts: StatusFacts): PollClass {
  return matchStatus(facts.status_code).knownStatus?.poll_class ?? 'normal';
}

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
  return scheduleIn(bucketOf(receipt, now, params), now, receipt, params);
}

export function scheduleIn(
  bucket: Bucket | null,
  checkedAt: Date,
  { poll_class }: Pick<Receipt, 'poll_class'>,
  { plan }: ScheduleParams,
): NextCheck {
  if (bucket === null) return { bucket, checked_at: null, schedule_class: null, next_check_at: null };
  const next_check_at = dueAt(bucket, checkedAt, plan);
  return { bucket, checked_at: checkedAt, schedule_class: poll_class, next_check_at };
}

/** Cases get the state `not_found` after three 404 answers over at least 72 h. */
export function isPermanentlyNotFound(
  series: { first_at: Date; count: number },
  now: Date,
  scale: number,
): boolean {
  return series.count >= 3 && now.getTime() - series.first_at.getTime() >= 72 * hourMs * scale;
}

/** Overdue are receipts that were last checked before this moment: three intervals of opening hours ago, at least 48 h. */
export function overdueBefore(
  receipt: ScheduledReceipt,
  now: Date,
  { hours, ...params }: ScheduleParams & { hours: Hours | null },
): Date {
  const bucket = bucketOf(receipt, now, params);
  const intervalMs = bucket === null ? 0 : params.plan.intervalMs(bucket);
  return openMomentBefore(hours, now, Math.max(3 * intervalMs, 48 * hourMs * params.scale));
}

type CheckTimes = Pick<Receipt, 'bucket' | 'last_checked' | 'new_since' | 'overdue_since'>;

export function isOverdue(receipt: CheckTimes, before: Date): boolean {
  if (!receipt.bucket || receipt.overdue_since !== null) return false;
  const since = Math.max(receipt.last_checked?.getTime() ?? 0, receipt.new_since?.getTime() ?? 0);
  return since < before.getTime();
}
