import { type Language, noticeSentence, statusWords } from '@casewatch/contracts';
import type { NotificationFacts } from '../domain/notification-facts.ts';
import { cleanBlock, cleanLine } from './clean-text.ts';
import { dayInWords } from './date-in-words.ts';
import { updateTexts } from './update-texts.ts';

export type UpdateContent = {
  aboutCase: string;
  before: string | null;
  now: string;
  /** What changed beside the title, in sentences; empty if nothing did. */
  note: string;
  /** What USCIS added to the history, newest first. `language`: of the text. */
  entries: { day: string; text: string; language: Language }[];
  moreEntries: number;
  /** Words of USCIS; null in a digest that has no room for them. */
  official: { title: string; text: string; language: Language } | null;
  /** Stands before official words that are English in a mail in another language; else null. */
  officialNote: string | null;
  meaning: string;
  /** Null if there is nothing to do. `notice`: a sentence with the day in the notice. `lastDay`: without it our estimate, in words. */
  toDo: { notice: string | null; action: string | null; lastDay: string | null } | null;
};

type Options = {
  /** False leaves the words of USCIS out, unless only they explain the status. */
  hasOfficial: boolean;
  /** Entries of the history that are shown, at most. */
  maxEntries: number;
};

/** Of an entry of the history. */
const maxCharacters = 300;

export function contentOfUpdate(
  facts: NotificationFacts,
  language: Language,
  { hasOfficial, maxEntries }: Options = { hasOfficial: true, maxEntries: 5 },
): UpdateContent {
  const now = titleIn(facts.title, language);
  const before = facts.previous_title && titleIn(facts.previous_title, language);
  const { meaning, action, isKnown } = statusWords(facts.title.en, language);
  const official = hasOfficial || !isKnown ? officialWords(facts, language) : null;
  const { new_history: entries = [] } = facts;
  return {
    aboutCase: updateTexts[language].aboutCase(facts.receipt_masked, facts.user_case_id),
    now,
    before: before === now ? null : before,
    note: noteOf(facts, language),
    entries: entries.slice(0, maxEntries).map((entry) => entryIn(entry, language)),
    moreEntries: Math.max(0, entries.length - maxEntries),
    official,
    officialNote: official && official.language !== language ? noteOnEnglish(language, isKnown) : null,
    meaning,
    toDo: toDoOf(facts, action, language),
  };
}

function toDoOf(
  { notice, answer_by }: NotificationFacts,
  action: string | null,
  language: Language,
): UpdateContent['toDo'] {
  if (notice !== undefined) return { notice: noticeSentence(notice, language), action, lastDay: null };
  if (action === null) return null;
  return { notice: null, action, lastDay: answer_by ? dayInWords(answer_by, language) : null };
}

/** As people read it. */
function hasSameTitle(
  { kind, title, previous_title: before }: NotificationFacts,
  language: Language,
): boolean {
  return kind === 'details' || (before !== null && titleIn(before, language) === titleIn(title, language));
}

/** Of a change that an old row does not name, only what its titles say. */
function noteOf(facts: NotificationFacts, language: Language): string {
  const { changes = [], new_history = [] } = facts;
  const isSameTitle = hasSameTitle(facts, language);
  const texts = updateTexts[language];
  const isText = changes.includes('text');
  const isOnlyHistory = !isText && new_history.length > 0;
  return [
    isSameTitle && (isOnlyHistory ? texts.sameTitleAndText : texts.sameTitle),
    isSameTitle && isText && texts.textChanged,
    changes.includes('date') && texts.dateChanged,
    new_history.length > 0 && texts.historyChanged,
  ]
    .filter((sentence) => typeof sentence === 'string')
    .join(' ');
}

type NewEntry = NonNullable<NotificationFacts['new_history']>[number];

/** In the reader's language where there are such words, else those of USCIS. */
function entryIn({ date, text }: NewEntry, language: Language) {
  const own = text[language];
  return {
    day: isDay(date) ? dayInWords(date.slice(0, 10), language) : cleanLine(date, 40),
    text: cleanLine(own ?? text.en, maxCharacters),
    language: own === null ? ('en' as const) : language,
  };
}

function isDay(date: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(date) && !Number.isNaN(Date.parse(date.slice(0, 10)));
}

/** The one line of a WhatsApp message that says what changed. */
export function changeInOneLine(facts: NotificationFacts, language: Language): string {
  const { history, text } = updateTexts[language].whatsapp;
  const title = titleIn(facts.title, language);
  const { changes = [], new_history: [newest] = [] } = facts;
  if (!hasSameTitle(facts, language)) return title;
  if (!newest) return changes.includes('text') ? text(title) : title;
  const entry = entryIn(newest, language);
  // The template ends the sentence.
  return history(entry.day, entry.text.replace(/[.\s]+$/, ''));
}

export function titleIn(title: NotificationFacts['title'], language: Language): string {
  return cleanLine(title[language] ?? title.en);
}

/** Null in English mails. It points to an explanation only where there is one. */
function noteOnEnglish(language: Language, isExplained: boolean): string | null {
  const { officialInEnglish, explainedAbove } = updateTexts[language];
  return isExplained && explainedAbove !== null
    ? `${officialInEnglish} ${explainedAbove}`
    : officialInEnglish;
}

/** Only words of USCIS: its Spanish if it served any, else its English. Never our table's text (notifier.md, Truth). */
function officialWords({ title, text, spanish_source: source }: NotificationFacts, language: Language) {
  const isSpanish = language === 'es' && source === 'uscis' && title.es !== null && text.es !== null;
  return {
    title: cleanLine((isSpanish && title.es) || title.en),
    text: cleanBlock((isSpanish && text.es) || text.en),
    language: isSpanish ? ('es' as const) : ('en' as const),
  };
}
