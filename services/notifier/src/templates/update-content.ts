import { explainStatus, type Language, matchStatus } from '@casewatch/contracts';
import type { NotificationFacts } from '../domain/notification-facts.ts';
import { cleanBlock, cleanLine } from './clean-text.ts';
import { dayInWords } from './date-in-words.ts';
import { updateTexts } from './update-texts.ts';

export type UpdateContent = {
  aboutCase: string;
  before: string | null;
  now: string;
  isOnlyDetails: boolean;
  /** Words of USCIS; null in a digest that has no room for them. */
  official: { title: string; text: string; language: Language } | null;
  meaning: string;
  /** Null if there is nothing to do. `lastDay`: our estimate, in words. */
  toDo: { action: string; lastDay: string | null } | null;
};

type Options = {
  /** False leaves the words of USCIS out, unless only they explain the status. */
  hasOfficial: boolean;
};

export function contentOfUpdate(
  facts: NotificationFacts,
  language: Language,
  { hasOfficial }: Options = { hasOfficial: true },
): UpdateContent {
  const now = titleIn(facts.title, language);
  const before = facts.previous_title && titleIn(facts.previous_title, language);
  const { knownStatus } = matchStatus(facts.title.en);
  const action = knownStatus?.action?.[language];
  return {
    aboutCase: updateTexts[language].aboutCase(facts.receipt_masked, facts.user_case_id),
    now,
    before: before === now ? null : before,
    isOnlyDetails: facts.kind === 'details' || before === now,
    official: hasOfficial || !knownStatus ? officialWords(facts, language) : null,
    meaning: knownStatus?.meaning[language] ?? explainStatus(facts.title.en, null, language),
    toDo: action ? { action, lastDay: facts.answer_by ? dayInWords(facts.answer_by, language) : null } : null,
  };
}

export function titleIn(title: NotificationFacts['title'], language: Language): string {
  return cleanLine(title[language] ?? title.en);
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
