import { matchStatus, type PollClass, type StatusFacts } from '@casewatch/contracts';
import { type Hours, openMomentBefore } from './hours.ts';
import type { Receipt } from './receipt.ts';
import type { ScheduleClass } from './schedule-class.ts';
import { type Stretch, stretchOf } from './stretch.ts';

const hourMs = 60 * 60 * 1_000;

/** Spans that are not scaled: people's days, not ours. */
export const durations = { dayMs: 24 * hourMs };

const firstWeekMs = 7 * durations.dayMs;
const settlingMs = 30 * durations.dayMs;
const slowestAfterMs = 90 * durations.dayMs;

/** First retry of a check that failed through no fault of the case comes this soon, ms. */
const retryMs = 60_000;

const intervals: Record<ScheduleClass, { everyMs: number; jitter: number }> = {
  new: { everyMs: 6 * hourMs, jitter: 0.2 },
  hot: { everyMs: 4 * hourMs, jitter: 0.2 },
  normal: { everyMs: 24 * hourMs, jitter: 0.2 },
  settling: { everyMs: 12 * hourMs, jitter: 0.2 },
  slow: { everyMs: 7 * durations.dayMs, jitter: 0.3 },
  dormant: { everyMs: 30 * durations.dayMs, jitter: 0.3 },
  stop: { everyMs: 30 * durations.dayMs, jitter: 0.3 },
};

/**
 * How the passage of time is judged: `scale` shortens intervals (1 = as designed), `stretch` lengthens them while the
 * government's quota is too small, `random` is from 0 to 1.
 */
export type Pacing = { scale: number; stretch: Stretch; random: () => number };

/** What a next check is decided by. */
export type Scheduled = Pick<Receipt, 'poll_class' | 'since' | 'new_since' | 'not_found'>;

/** The table's class of a status; a title that it does not know is looked at as an ordinary one. */
export function pollClassOf(facts: StatusFacts): PollClass {
  return matchStatus(facts.status_code).known?.poll_class ?? 'normal';
}

/** The class by which a receipt is looked at now (monitor.md, Schedule). */
export function classOf(receipt: Scheduled, now: Date): ScheduleClass {
  const ageMs = receipt.new_since ? now.getTime() - receipt.new_since.getTime() : Number.POSITIVE_INFINITY;
  if (receipt.not_found) return ageMs < firstWeekMs ? 'new' : 'normal';
  if (ageMs < durations.dayMs) return 'new';
  const isSlow =
    receipt.poll_class === 'slow' ||
    (receipt.poll_class === 'settling' && stateAgeMs(receipt, now) > settlingMs);
  if (!isSlow) return receipt.poll_class;
  return stateAgeMs(receipt, now) > slowestAfterMs ? 'dormant' : 'slow';
}

/** A class's interval as designed, ms. */
export function baseIntervalMs(name: ScheduleClass): number {
  return intervals[name].everyMs;
}

/** A class's interval as it is now, ms. */
export function intervalMs(name: ScheduleClass, { scale, stretch }: Omit<Pacing, 'random'>): number {
  return intervals[name].everyMs * scale * stretchOf(name, stretch);
}

/** When a receipt that was just looked at is due again: its class's interval, jittered both ways. */
export function nextCheckAt(receipt: Scheduled, now: Date, pacing: Pacing): Date {
  const name = classOf(receipt, now);
  const factor = 1 + intervals[name].jitter * (2 * pacing.random() - 1);
  return new Date(now.getTime() + intervalMs(name, pacing) * factor);
}

/** Class and next check of a receipt that was just looked at; a rejected one has no turn. */
export function turnOf(
  receipt: Scheduled & Pick<Receipt, 'state'>,
  now: Date,
  pacing: Pacing,
): Pick<Receipt, 'schedule_class' | 'next_check_at'> {
  if (receipt.state === 'rejected') return { schedule_class: null, next_check_at: null };
  return { schedule_class: classOf(receipt, now), next_check_at: nextCheckAt(receipt, now, pacing) };
}

/** After a failed check: soon the first time, then in its turn; never later than in its turn. */
export function retryCheckAt(receipt: Scheduled & { failures: number }, now: Date, pacing: Pacing): Date {
  const turn = nextCheckAt(receipt, now, pacing);
  if (receipt.failures > 0) return turn;
  const soon = now.getTime() + retryMs * (0.5 + pacing.random());
  return new Date(Math.min(soon, turn.getTime()));
}

/** Whether a run of 404 answers is long enough to be said: three over at least 72 h. */
export function isNotFoundForGood(run: { first_at: Date; count: number }, now: Date, scale: number): boolean {
  return run.count >= 3 && now.getTime() - run.first_at.getTime() >= 72 * hourMs * scale;
}

/**
 * Before when a receipt of this class must have been checked last to be overdue now: three of its stretched intervals
 * ago, at least 48 h (monitor.md, Schedule). Known closing hours are a pause, so they do not count.
 */
export function overdueBefore(
  name: ScheduleClass,
  now: Date,
  { hours, ...pacing }: Omit<Pacing, 'random'> & { hours: Hours | null },
): Date {
  const ms = Math.max(3 * intervalMs(name, pacing), 48 * hourMs * pacing.scale);
  return openMomentBefore(hours, now, ms);
}

function stateAgeMs({ since }: Scheduled, now: Date): number {
  return since ? now.getTime() - since.getTime() : 0;
}
