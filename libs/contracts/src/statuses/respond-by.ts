import type { Reviewer } from '../resources/case.ts';
import type { RespondBy } from '../resources/status-update.ts';
import { type Answerable, answerBy } from './answer-by.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** A day that is further away was mistyped: USCIS gives three months at most, and some weeks more abroad. */
const noticeRange = { daysBefore: 90, daysAfter: 366 };

/** By when an answer is due, and whether the firm has sent it. Null: not certain; not sent. */
export type ResponseDates<At> = {
  respond_by: RespondBy | null;
  respond_done: { at: At; by: Reviewer } | null;
};

/**
 * Our estimate of the day for an answer, as it was when the status was seen (monitor.md, Latest possible day). It does not
 * depend on today: once stored, it stays, so that a firm also sees a day that it missed.
 */
export function estimatedRespondBy(status: Answerable, seenAt: Date): RespondBy | null {
  const date = answerBy(status, seenAt);
  return date === null ? null : { date, source: 'estimate' };
}

type Status = { readonly status_code: string; readonly status_slug: string };

/** Whether it is one status, in whatever words. Titles outside the status table share a slug. */
function isSameStatus(one: Status, other: Status): boolean {
  if (one.status_slug !== other.status_slug) return false;
  return one.status_slug !== 'unknown' || one.status_code === other.status_code;
}

/**
 * The dates of a case once it has another latest update, whose own estimate is `update.respond_by`. What the firm noted holds until
 * another status comes; new words of the same status replace an estimate alone.
 */
export function datesAfter<At>(
  before: ResponseDates<At> & { latest_update: Status | null },
  update: Status & Pick<ResponseDates<At>, 'respond_by'>,
): ResponseDates<At> {
  const { latest_update, respond_by, respond_done } = before;
  // What was noted before the first status was known is of that status.
  if (latest_update !== null && !isSameStatus(latest_update, update))
    return { respond_by: update.respond_by, respond_done: null };
  const isNoted = respond_by?.source === 'notice';
  return { respond_by: isNoted ? respond_by : update.respond_by, respond_done };
}

/** First and last day that the notice of a case can name. */
export function noticeDays(now: Date): { first: string; last: string } {
  const day = (days: number) => new Date(now.getTime() + days * dayMs).toISOString().slice(0, 10);
  return { first: day(-noticeRange.daysBefore), last: day(noticeRange.daysAfter) };
}
