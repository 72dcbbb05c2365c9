import { htmlLanguage, type Language } from '@casewatch/contracts';
import { html, type Markup, withBreaks } from '@casewatch/platform';
import { callout, headingOf, type Level, paragraph, quotation } from './layout.ts';
import type { UpdateContent } from './update-content.ts';
import { updateTexts } from './update-texts.ts';

/** One status update in the HTML part of a mail, in the order of `updateText`. `level`: of its headings. */
export function updateHtml(content: UpdateContent, language: Language, level: Level): Markup {
  const { changed, meaning } = updateTexts[language];
  return html`${headingOf(level, changed)}${changeHtml(content, language)}${toDoHtml(content, language, level)}${headingOf(
    level,
    meaning,
  )}${paragraph(content.meaning)}${officialHtml(content, language, level)}${historyHtml(content, language, level)}`;
}

function changeHtml({ before, now, note }: UpdateContent, language: Language): Markup {
  const texts = updateTexts[language];
  const beforeLine = before === null ? null : html`${texts.before}: ${before}<br>`;
  return html`${paragraph(html`${beforeLine}${texts.now}: <strong>${now}</strong>`)}${
    note === '' ? null : paragraph(note)
  }`;
}

function officialHtml(
  { official, officialNote }: UpdateContent,
  language: Language,
  level: Level,
): Markup | null {
  if (official === null) return null;
  const texts = updateTexts[language];
  const isForeign = official.language !== language;
  const note = officialNote === null ? null : paragraph(officialNote);
  const text = official.text === '' ? null : html`<br>${withBreaks(official.text)}`;
  const words = html`<strong>${official.title}</strong>${text}`;
  return html`${headingOf(level, texts.official)}${note}${quotation(words, isForeign ? official.language : null)}`;
}

function toDoHtml({ toDo }: UpdateContent, language: Language, level: Level): Markup | null {
  if (toDo === null) return null;
  const texts = updateTexts[language];
  const [beforeDay, afterDay] = texts.estimate;
  const notice = toDo.notice && paragraph(html`<strong>${toDo.notice}</strong>`);
  const deadline =
    toDo.lastDay === null
      ? null
      : html`${paragraph(texts.deadline)}${paragraph(html`${beforeDay}<strong>${toDo.lastDay}</strong>${afterDay}`)}`;
  return html`${headingOf(level, texts.toDo)}${callout(html`${notice}${deadline}${toDo.action && paragraph(toDo.action)}`)}`;
}

function historyHtml(
  { entries, moreEntries }: UpdateContent,
  language: Language,
  level: Level,
): Markup | null {
  if (entries.length === 0) return null;
  const { newHistory, moreHistory, inEnglish } = updateTexts[language];
  const shown = entries.map((entry, i) => {
    const isForeign = entry.language !== language;
    const words = isForeign
      ? html`<span lang="${htmlLanguage[entry.language]}">${entry.text}</span> ${inEnglish}`
      : entry.text;
    return html`${i > 0 && html`<br>`}${entry.day && html`<strong>${entry.day}</strong>: `}${words}`;
  });
  const more = moreEntries > 0 ? html`<br>${moreHistory(moreEntries)}` : null;
  return html`${headingOf(level, newHistory)}${paragraph(html`${shown}${more}`)}`;
}
