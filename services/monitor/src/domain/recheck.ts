import { dayMs, recheckBucket } from './buckets.ts';
import type { Receipt } from './receipt.ts';
import { type NextCheck, type ScheduleParams, scheduleIn, scheduleNext } from './schedule.ts';

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
  const recheck = receipt.recheck_at ?? null;
  if (next.bucket === null || recheck === null) return next;
  const intervalMs = params.plan.intervalMs(recheckBucket);
  return scheduleIn(recheckBucket, new Date(recheck.getTime() - intervalMs), receipt, params);
}
