import { matchStatus, type PollClass, type StatusFacts } from '@casewatch/contracts';
import type { Receipt } from './receipt.ts';

const hourMs = 60 * 60 * 1_000;

/** Spans that are not scaled: people's days, not ours. */
export const durations = { dayMs: 24 * hourMs };

const firstWeekMs = 7 * durations.dayMs;
const settlingMs = 30 * durations.dayMs;
const slowestAfterMs = 90 * durations.dayMs;

/** First retry of a check that failed through no fault of the case comes this soon, ms. */
const retryMs = 60_000;

export type ScheduleClass = 'new' | PollClass;

const intervals: Record<ScheduleClass, { everyMs: number; jitter: number }> = {
  new: { everyMs: 6 * hourMs, jitter: 0.2 },
  hot: { everyMs: 4 * hourMs, jitter: 0.2 },
  normal: { everyMs: 24 * hourMs, jitter: 0.2 },
  settling: { everyMs: 12 * hourMs, jitter: 0.2 },
  slow: { everyMs: 7 * durations.dayMs, jitter: 0.3 },
  stop: { everyMs: 30 * durations.dayMs, jitter: 0.3 },
};

/** How the passage of time is judged: `scale` shortens intervals (1 = as designed), `random` is from 0 to 1. */
export type Pacing = { scale: number; random: () => number };

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
  if (receipt.poll_class === 'settling' && stateAgeMs(receipt, now) > settlingMs) return 'slow';
  return receipt.poll_class;
}

/** When a receipt that was just looked at is due again: its class's interval, jittered both ways. */
export function nextCheckAt(receipt: Scheduled, now: Date, { scale, random }: Pacing): Date {
  const name = classOf(receipt, now);
  const { everyMs, jitter } = intervals[name];
  const isOld = name === 'slow' && stateAgeMs(receipt, now) > slowestAfterMs;
  const intervalMs = (isOld ? intervals.stop.everyMs : everyMs) * scale;
  return new Date(now.getTime() + intervalMs * (1 + jitter * (2 * random() - 1)));
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

function stateAgeMs({ since }: Scheduled, now: Date): number {
  return since ? now.getTime() - since.getTime() : 0;
}
