import { baseForm } from './form-type.ts';
import { matchStatus } from './match-status.ts';
import { datesIn } from './served-date.ts';

export type Answerable = {
  status_code: string;
  status_description: string;
  form_type: string | null;
  /** The earliest `modified_date` that USCIS showed with this title. */
  title_modified_date?: string | Date | null | undefined;
};

const dayMs = 24 * 60 * 60 * 1_000;
// A sentence ends before a space and a capital letter; "Nov. 2" and "U.S. Citizenship" go on.
const endOfSentence = /(?<!\b\p{L})[.!?]\s+(?=["'“‘(]?\p{Lu})/u;
// "On November 2, 2026, we …", "a request dated Monday, November 2, 2026": what stands before the day of a notice.
const beforeNotice =
  /(?:^|\b(?:on|on or about|as of|dated|sent|mailed|e-?mailed|issued|el|em)\b[:,]?)\s*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s*)?$/i;
// "On November 2, 2026, we sent … that you filed on March 1, 2026": of several days, the one on which the government sent.
const sentOn =
  /^(?:on|as of)? ?[^a-z]{0,12}[a-z]{0,9}[^a-z]{0,12},? (?:we|uscis) (?:sent|mailed|e-?mailed|issued|requested|asked)\b/i;
// A sentence of a day by which somebody has to answer.
const deadline =
  /\b(?:due|deadline|expires?|no later than|on or before|(?:respond|answer|reply) (?:by|within))\b/i;

/**
 * Estimated last day for a response to reach USCIS, `YYYY-MM-DD`; the notice itself decides.
 * Null if no response is due, the day of the notice is not certain, or the day has passed.
 */
export function answerBy(status: Answerable, now: Date): string | null {
  const action = matchStatus(status.status_code).knownStatus?.action;
  const days =
    action?.answer_within_days_max_by_form?.[baseForm(status.form_type ?? '')] ??
    action?.answer_within_days_max;
  if (days === undefined) return null;
  const today = now.toISOString().slice(0, 10);
  const since = dayOfNotice(status, today);
  if (since === null) return null;
  const day = toDay(new Date(Date.parse(since) + days * dayMs));
  return day !== null && day >= today ? day : null;
}

/**
 * The date of "On January 1, 2026, we sent …" in the first sentence, else the date of the title (monitor.md). Null in
 * doubt: a day too late would cost people their case. A notice has no day after today.
 */
function dayOfNotice({ status_description, title_modified_date }: Answerable, today: string): string | null {
  const [sentence = ''] = status_description.split(endOfSentence, 1);
  const dates = datesIn(sentence);
  const [first] = dates;
  if (!first) {
    const day = toDay(title_modified_date);
    return day !== null && day <= today ? day : null;
  }
  const isPast = dates.every(({ day }) => day !== null && day <= today);
  const isOnly = new Set(dates.map(({ day }) => day)).size === 1;
  const isNotice = isOnly ? beforeNotice.test(sentence.slice(0, first.index)) : sentOn.test(sentence);
  return isPast && isNotice && !deadline.test(sentence) ? first.day : null;
}

function toDay(time: string | Date | null | undefined): string | null {
  const day = (time instanceof Date ? time.toISOString() : (time ?? '')).slice(0, 10);
  const moment = new Date(day);
  // `Date` reads 2026-02-31 as 3 March.
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day) ? day : null;
}
