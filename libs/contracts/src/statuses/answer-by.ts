import type { HistoryEntry } from '../resources/status-update.ts';
import { matchStatus, normaliseTitle } from './match-status.ts';

/** What the latest day for an answer is counted from; times are ISO or dates. */
export type Answerable = {
  status_code: string;
  form_type: string | null;
  modified_date: string | Date | null;
  history: readonly Pick<HistoryEntry, 'date' | 'status_code'>[];
};

const dayMs = 24 * 60 * 60 * 1_000;
// The day at the beginning of what may be a longer time.
const isoDay = /^\d{4}-\d\d-\d\d/;

/**
 * Our estimate of the latest day on which an answer can reach the government, `YYYY-MM-DD`: so many days, as the table
 * says for the form or in general, after the day that the history gives for this title, else after `modified_date`.
 * Null where nothing is to be answered, or no day is known. The notice itself has the date that holds.
 */
export function answerBy(status: Answerable): string | null {
  const action = matchStatus(status.status_code).known?.action;
  const days =
    action?.answer_within_days_max_by_form?.[status.form_type ?? ''] ?? action?.answer_within_days_max;
  if (days === undefined) return null;
  const since = dayInHistory(status) ?? toDay(status.modified_date);
  return since === null ? null : toDay(new Date(Date.parse(since) + days * dayMs));
}

/** The last day on which the history has this title. */
function dayInHistory({ status_code: title, history }: Answerable): string | null {
  const days = history
    .filter((entry) => isSameStatus(entry.status_code, title))
    .map(({ date }) => toDay(date))
    .filter((day) => day !== null);
  return days.sort().at(-1) ?? null;
}

function isSameStatus(one: string, other: string): boolean {
  if (normaliseTitle(one) === normaliseTitle(other)) return true;
  const { known } = matchStatus(one);
  return known !== null && known === matchStatus(other).known;
}

function toDay(time: string | Date | null): string | null {
  const text = time instanceof Date ? time.toISOString() : (time ?? '');
  const day = isoDay.exec(text)?.[0] ?? null;
  // 2026-02-31 looks like a day and is none; Date takes it for the 3rd of March.
  return day !== null && isDay(day) ? day : null;
}

function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
