import {
  answerBy,
  explainStatus,
  type Language,
  type LatestUpdate,
  matchStatus,
  noticeSentence,
  statusWords,
} from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';

/** The title in the person's language, else in English. */
export function titleOf(
  update: Pick<LatestUpdate, 'status_code' | 'status_code_es' | 'status_code_pt'>,
  language: Language,
): Markup {
  const titles = { en: update.status_code, es: update.status_code_es, pt: update.status_code_pt };
  const title = titles[language];
  return title === null ? html`<span lang="en">${update.status_code}</span>` : html`${title}`;
}

type Explanation = {
  readonly meaning: string;
  /**
   * Null if there is nothing to do. `notice`: the day that the firm read in the notice, in a sentence. `deadline`: our estimate of the
   * last day, with its warning. There is at most one of them, and a page shows it first (firm.md §4).
   */
  readonly toDo: { readonly notice: string; readonly action: string; readonly deadline: string } | null;
};

/** `detail_message` has the day in the notice, the meaning, the action and the deadline in this order (contracts, detailMessage). */
export function explanationOf(update: LatestUpdate, language: Language): Explanation {
  const { detail_message, respond_by, status_code: title } = update;
  const sentence = respond_by?.source === 'notice' ? noticeSentence(respond_by.date, language) : '';
  // A day that has passed is not in the message.
  const notice = detail_message.startsWith(sentence) ? sentence : '';
  const message = detail_message.slice(notice.length).trim();
  const { meaning, action } = statusWords(title, language);
  const start = `${meaning} ${action}`;
  if (action === null || !message.startsWith(start))
    return { meaning: message, toDo: notice ? { notice, action: '', deadline: '' } : null };
  return { meaning, toDo: { notice, action, deadline: message.slice(start.length).trim() } };
}

/**
 * The last day of `detail_message` as data, `YYYY-MM-DD`: that of the notice, else our estimate. Null without one, and where this day would
 * not be the one that the page shows: the page also knows when the government dated the title.
 */
export function lastDayOf(update: LatestUpdate, language: Language, now: Date): string | null {
  const { respond_by } = update;
  if (respond_by && explanationOf(update, language).toDo?.notice) return respond_by.date;
  const day = answerBy(update, now);
  if (day === null || explainStatus(update.status_code, day, language) !== update.detail_message) return null;
  return day;
}

export function hasAction({ status_code: title }: LatestUpdate): boolean {
  const { knownStatus } = matchStatus(title);
  return knownStatus?.action_required ?? statusWords(title, 'en').action !== null;
}

// "November 21, 2026", "21 de noviembre de 2026".
const dayPattern = /(\p{Lu}\p{L}+ \d{1,2}, \d{4}|\d{1,2} de \p{L}+ de \d{4})/u;

/** The day stands out (notifier.md, Calm). */
export function withBoldDay(text: string): Markup {
  const [before = '', day, ...after] = text.split(dayPattern);
  return day === undefined ? html`${text}` : html`${before}<strong>${day}</strong>${after.join('')}`;
}
