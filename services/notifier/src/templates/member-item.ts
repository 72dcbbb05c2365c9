import { asksForAnswer, htmlLanguage, type Language, matchStatus } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import type { MemberItem } from '../firm/member-mail.ts';
import { cleanLine, isolated } from './clean-text.ts';
import { dayInWords, localTimeInWords } from './date-in-words.ts';
import { callout, type Level, paragraph, softParagraph } from './layout.ts';
import { memberMailTexts } from './member-mail-texts.ts';
import { styles } from './styles.ts';
import { contentOfUpdate, type UpdateContent } from './update-content.ts';
import { updateTexts } from './update-texts.ts';

export type RenderedItem = { readonly text: string; readonly html: Markup };

/** `isShort`: only the day for an answer, the title and what it means, in a mail that has no room for more. `level`: of its heading. */
type Options = { readonly isShort: boolean; readonly level: Level };

/** Characters of the title of a status in a short item, at most. */
const shortTitle = 150;

/** One thing that a mail to a member tells: the day for an answer first, then what USCIS says and what it means. */
export function renderMemberItem(
  item: MemberItem,
  language: Language,
  options: Options = { isShort: false, level: 2 },
): RenderedItem {
  if (item.kind === 'monitoring') {
    const sentence = memberMailTexts[language].monitoring[item.state];
    return framed(item, language, { lines: [sentence], body: paragraph(sentence), level: options.level });
  }
  return item.kind === 'reminder'
    ? renderReminder(item, language, options)
    : renderChange(item, language, options);
}

/** The client and the firm's number of the matter. */
export function nameOfItem({ client, reference }: Pick<MemberItem, 'client' | 'reference'>): string {
  const name = isolated(cleanLine(client ?? '', 120));
  const matter = isolated(cleanLine(reference, 64));
  return name === '' ? matter : `${name} · ${matter}`;
}

type Kind<K extends MemberItem['kind']> = Extract<MemberItem, { kind: K }>;

function renderReminder(item: Kind<'reminder'>, language: Language, { level }: Options): RenderedItem {
  const { daysLeft, fromNotice, estimated, ifSent } = memberMailTexts[language];
  const [left, day] = [daysLeft(item.days), dayInWords(item.due.date, language)];
  const note = `${item.due.source === 'notice' ? fromNotice : estimated} ${ifSent}`;
  return framed(item, language, {
    lines: [`${left}: ${day}. ${note}`],
    body: callout(paragraph(html`<strong>${left}: ${day}.</strong> ${note}`)),
    level,
  });
}

function renderChange(item: Kind<'change'>, language: Language, { isShort, level }: Options): RenderedItem {
  const { facts, observedAt } = item;
  const { says, means, before, receipt } = memberMailTexts[language];
  const content = contentOfUpdate(facts, language, { hasOfficial: true, maxEntries: 1 });
  const due = dueOf(item, language);
  const { title, lang } = titleOf(content, language, { isShort });
  const meaning = `${means}: ${firstSentence(content.meaning)}`;
  const [entry] = content.entries;
  const earlier = content.before && `${before}: ${content.before}`;
  const added = entry && `${entry.day}${entry.day && ': '}${entry.text}`;
  const seen = `${receipt(facts.receipt_masked)} ${updateTexts[language].seen(localTimeInWords(observedAt, language))}`;
  const dueLine = due && (due.day === null ? due.note : `${due.day} ${due.note}`);
  const said = html`${says}: <strong${lang}>${title}</strong>`;
  if (isShort)
    return framed(item, language, {
      lines: [dueLine, `${says}: ${title}`, meaning],
      body: html`${dueLine && paragraph(html`<strong>${dueLine}</strong>`)}${paragraph(html`${said}<br>${meaning}`)}`,
      level,
    });
  const dueHtml = due && html`${due.day !== null && html`<strong>${due.day}</strong> `}${due.note}`;
  const addedHtml = entry && html`<br><span${langOf(entry.language, language)}>${added}</span>`;
  const noteHtml = content.note !== '' && html`<br>${content.note}`;
  return framed(item, language, {
    lines: [dueLine, earlier, `${says}: ${title}`, content.note, added ?? null, meaning, seen],
    body: html`${dueHtml && callout(paragraph(dueHtml))}${paragraph(
      html`${earlier && html`${earlier}<br>`}${said}${noteHtml}${addedHtml}`,
    )}${paragraph(meaning)}${softParagraph(seen)}`,
    level,
  });
}

/** The words of USCIS, and their language where it is not that of the mail. */
function titleOf(
  { official, now }: UpdateContent,
  language: Language,
  { isShort }: Pick<Options, 'isShort'>,
) {
  const title = official?.title ?? now;
  return {
    title: isShort ? cleanLine(title, shortTitle) : title,
    lang: official && langOf(official.language, language),
  };
}

function langOf(words: Language, mail: Language): Markup | null {
  return words === mail ? null : html` lang="${htmlLanguage[words]}"`;
}

/** By when USCIS must have the answer. The case knows best; without its day, USCIS may wait all the same. */
function dueOf({ facts, respondBy, isAnswered = false }: Kind<'change'>, language: Language) {
  const { due: label, fromNotice, estimated, noDay } = memberMailTexts[language];
  if (respondBy !== null) {
    const note = facts.notice === respondBy ? fromNotice : estimated;
    return { day: `${label}: ${dayInWords(respondBy, language)}.`, note };
  }
  if (isAnswered) return null;
  const status_code = facts.title.en;
  const { category } = matchStatus(status_code);
  return asksForAnswer({ status_code, category }) ? { day: null, note: noDay } : null;
}

// The end of a sentence; "EE. UU." and "U.S. citizenship" go on.
const endOfSentence = /(?<=(?<!\bEE)[.!?])\s+(?=["“¡¿]?\p{Lu})/u;

/** Of our words about a status: the first says what it is, the others what a person does, which a firm knows. */
export function firstSentence(text: string): string {
  return text.split(endOfSentence, 1)[0] ?? text;
}

type Parts = { readonly lines: readonly (string | null)[]; readonly body: Markup; readonly level: Level };

function framed(item: MemberItem, language: Language, { lines, body, level }: Parts): RenderedItem {
  const { urgent, open } = memberMailTexts[language];
  const name = nameOfItem(item);
  const isPressing = isUrgentItem(item);
  const shown = lines.filter((line) => line !== null && line !== '');
  const mark = isPressing && html`<span style="${styles.urgent}">${urgent}</span> `;
  const heading =
    level === 2
      ? html`<h2 class="item" style="${styles.item}">${mark}${name}</h2>`
      : html`<h3 class="item" style="${styles.item}">${mark}${name}</h3>`;
  return {
    text: [`* ${isPressing ? `${urgent}: ` : ''}${name}`, ...shown, `${open}:`, item.link].join('\n'),
    html: html`${heading}\n${body}${paragraph(html`<a href="${item.link}">${open}</a>`)}`,
  };
}

/** A reminder always reaches somebody, as urgent things do; until the last week it is not shown as one. */
export function isUrgentItem(item: MemberItem): boolean {
  return item.urgent && !(item.kind === 'reminder' && item.days > 7);
}
