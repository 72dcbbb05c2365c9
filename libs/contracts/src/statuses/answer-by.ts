import { matchStatus } from './match-status.ts';

export type Answerable = {
  status_code: string;
  status_description: string;
  form_type: string | null;
  /** The earliest `modified_date` that USCIS showed with this title; missing in rows of earlier releases. */
  title_modified_date?: string | Date | null | undefined;
};

const dayMs = 24 * 60 * 60 * 1_000;
const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];
// "January 1, 2026"; "January 01, 2026" is the same day.
const dateInWords = new RegExp(`\\b(${monthNames.join('|')}) (\\d{1,2}), (\\d{4})\\b`);
// A sentence ends with a full stop before a space.
const endOfSentence = /[.!?]\s/;

/**
 * Estimated last day for a response to reach USCIS, `YYYY-MM-DD`; the notice itself decides.
 * Null if no response is due, no date is known, or the day has passed.
 */
export function answerBy(status: Answerable, now: Date): string | null {
  const action = matchStatus(status.status_code).knownStatus?.action;
  const days =
    action?.answer_within_days_max_by_form?.[status.form_type ?? ''] ?? action?.answer_within_days_max;
  if (days === undefined) return null;
  const since = dayOfFirstSentence(status.status_description) ?? toDay(status.title_modified_date);
  if (since === null) return null;
  const day = toDay(new Date(Date.parse(since) + days * dayMs));
  return day !== null && day >= now.toISOString().slice(0, 10) ? day : null;
}

/** The date of "On January 1, 2026, we sent …": the day on which the government acted. */
function dayOfFirstSentence(description: string): string | null {
  const [sentence = ''] = description.split(endOfSentence, 1);
  const [, month = '', day = '', year = ''] = dateInWords.exec(sentence) ?? [];
  const number = String(monthNames.indexOf(month) + 1).padStart(2, '0');
  return year === '' ? null : toDay(`${year}-${number}-${day.padStart(2, '0')}`);
}

function toDay(time: string | Date | null | undefined): string | null {
  const day = (time instanceof Date ? time.toISOString() : (time ?? '')).slice(0, 10);
  const moment = new Date(day);
  // `Date` reads 2026-02-31 as 3 March.
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day) ? day : null;
}
