import type { HistoryEntry } from '../resources/status-update.ts';
import { matchStatus, normaliseTitle } from './match-status.ts';

export type Answerable = {
  status_code: string;
  form_type: string | null;
  modified_date: string | Date | null;
  history: readonly Pick<HistoryEntry, 'date' | 'status_code'>[];
};

const dayMs = 24 * 60 * 60 * 1_000;
// The date part.
const isoDay = /^\d{4}-\d\d-\d\d/;

/**
 * Estimated last day for a response to reach USCIS, `YYYY-MM-DD`; the notice itself decides.
 * Null if no response is due or no date is known.
 */
export function answerBy(status: Answerable): string | null {
  const action = matchStatus(status.status_code).knownStatus?.action;
  const days =
    action?.answer_within_days_max_by_form?.[status.form_type ?? ''] ?? action?.answer_within_days_max;
  if (days === undefined) return null;
  const since = dayInHistory(status) ?? toDay(status.modified_date);
  return since === null ? null : toDay(new Date(Date.parse(since) + days * dayMs));
}

function dayInHistory({ status_code: title, history }: Answerable): string | null {
  const days = history
    .filter((entry) => isSameStatus(entry.status_code, title))
    .map(({ date }) => toDay(date))
    .filter((day) => day !== null);
  return days.sort().at(-1) ?? null;
}

function isSameStatus(first: string, second: string): boolean {
  if (normaliseTitle(first) === normaliseTitle(second)) return true;
  const { knownStatus } = matchStatus(first);
  return knownStatus !== null && knownStatus === matchStatus(second).knownStatus;
}

function toDay(time: string | Date | null): string | null {
  const text = time instanceof Date ? time.toISOString() : (time ?? '');
  const day = isoDay.exec(text)?.[0] ?? null;
  // `Date` reads 2026-02-31 as 3 March.
  return day !== null && isDay(day) ? day : null;
}

function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
