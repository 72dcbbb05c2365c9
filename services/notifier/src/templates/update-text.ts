import type { Language } from '@casewatch/contracts';
import type { UpdateContent } from './update-content.ts';
import { updateTexts } from './update-texts.ts';

/**
 * One status update in the text part of a mail, as paragraphs: what changed, by when to answer and what to do, what it means, and
 * only then the words of USCIS (notifier.md, Content). Those may be English: nothing that a reader needs stands below them.
 */
export function updateText(content: UpdateContent, language: Language): string[] {
  const texts = updateTexts[language];
  const { before, now, note, official, officialNote, meaning, toDo } = content;
  return [
    lines(
      `${texts.changed}:`,
      before === null ? null : `${texts.before}: ${before}`,
      `${texts.now}: ${now}`,
      note,
    ),
    ...(toDo
      ? [lines(`${texts.toDo}:`, toDo.notice, ...deadlineLines(toDo.lastDay, language), toDo.action)]
      : []),
    lines(`${texts.meaning}:`, meaning),
    ...(official ? [lines(`${texts.official}:`, officialNote, official.title, official.text)] : []),
    lines(...historyLines(content, language)),
  ].filter((paragraph) => paragraph !== '');
}

function historyLines({ entries, moreEntries }: UpdateContent, language: Language): string[] {
  if (entries.length === 0) return [];
  const { newHistory, moreHistory, inEnglish } = updateTexts[language];
  const shown = entries.map((entry) => {
    const mark = entry.language === language ? '' : ` ${inEnglish}`;
    return `- ${entry.day && `${entry.day}: `}${entry.text}${mark}`;
  });
  return [`${newHistory}:`, ...shown, ...(moreEntries > 0 ? [moreHistory(moreEntries)] : [])];
}

function deadlineLines(lastDay: string | null, language: Language): string[] {
  const { deadline, estimate } = updateTexts[language];
  return lastDay === null ? [] : [deadline, estimate.join(lastDay)];
}

function lines(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n');
}
