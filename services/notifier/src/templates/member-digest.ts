import type { RespondBy } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { type MemberItem, maxMemberItems } from '../firm/member-mail.ts';
import { cleanLine, isolated } from './clean-text.ts';
import { dateInWords, dayInWords } from './date-in-words.ts';
import { headingOf, paragraph, type RenderedMail, softParagraph } from './layout.ts';
import { memberDigestTexts } from './member-digest-texts.ts';
import { nameOfItem, renderMemberItem } from './member-item.ts';
import { inFull, type MemberFrame, renderForMember, restOf, urgentFirst } from './member-mail.ts';

const template = 'member_digest@1';

/** An answer that is due. `left`: days. */
export type DueItem = Pick<MemberItem, 'client' | 'reference' | 'link'> & {
  readonly respondBy: RespondBy;
  readonly left: number;
};

/** A client whom messages do not reach. `name` null: the firm wants no names in mails. */
export type UnreachableClient = { readonly id: number; readonly name: string | null; readonly link: string };

/** `at`: since when it fails, or when it was disabled. */
export type FailingEndpoint = {
  readonly host: string;
  readonly at: Date;
  readonly isDisabled: boolean;
  readonly link: string;
};

/** The first of something, how many there are, and where all of them are. */
export type Listed<T> = { readonly items: readonly T[]; readonly total: number; readonly link: string };

export type MemberDigest = MemberFrame & {
  /** The member's day, `YYYY-MM-DD`. */
  day: string;
  unreviewed: Listed<MemberItem>;
  dates: Listed<DueItem>;
  unreachable: Listed<UnreachableClient>;
  /** For owners alone. */
  endpoints: readonly FailingEndpoint[];
};

type Section = { readonly text: string; readonly html: Markup } | null;

/** Whether a digest has something to say; there is no empty one. */
export function countOpen(digest: Pick<MemberDigest, 'unreviewed' | 'dates' | 'unreachable' | 'endpoints'>) {
  const { unreviewed, dates, unreachable, endpoints } = digest;
  return unreviewed.total + dates.total + unreachable.total + endpoints.length;
}

/**
 * What is open at a firm for a member, once a day: days for answers first, then changes that nobody has reviewed. As in every mail to a
 * member, subject, preheader and first line are a count. @throws Error if there is nothing, or too much
 */
export function renderMemberDigest(digest: MemberDigest): RenderedMail {
  const { language, day, unreviewed } = digest;
  const count = countOpen(digest);
  if (count === 0 || unreviewed.items.length > maxMemberItems)
    throw new Error(`a digest has something, and at most ${maxMemberItems} changes`);
  const texts = memberDigestTexts[language];
  return inFull(({ isShort }) => {
    const asOf = texts.asOf(dayInWords(day, language));
    const sections = [
      datesSection(digest),
      changesSection(digest, { isShort }),
      clientsSection(digest),
      endpointsSection(digest),
    ].filter((section) => section !== null);
    return renderForMember(digest, {
      template,
      subject: texts.subject(count),
      heading: texts.heading,
      intro: texts.intro(count),
      paragraphs: [asOf, ...sections.map(({ text }) => text)],
      body: html`${softParagraph(asOf)}${sections.map((section) => section.html)}`,
    });
  });
}

function datesSection({ language, dates: { items, total, link } }: MemberDigest): Section {
  const texts = memberDigestTexts[language];
  const rows = items.map(({ respondBy, left, ...named }) => {
    const day = `${dayInWords(respondBy.date, language)} (${texts.left(left)})`;
    const note = respondBy.source === 'estimate' ? texts.estimate : '';
    return { day, note, name: nameOfItem(named), link: named.link };
  });
  return section(total, {
    heading: texts.dates,
    lines: rows.map(({ day, name, note, link }) => `- ${day}: ${name}${note && `, ${note}`}\n  ${link}`),
    body: html`${rows.map(({ day, name, note, link }) =>
      paragraph(html`<strong>${day}</strong>: <a href="${link}">${name}</a>${note && html`<br>${note}`}`),
    )}`,
    rest: moreOf(total - items.length, { sentence: texts.moreDates, label: texts.list, link }),
  });
}

function changesSection(
  { language, unreviewed: { items, total, link } }: MemberDigest,
  { isShort }: { isShort: boolean },
): Section {
  const shown = urgentFirst(items).map((item) => renderMemberItem(item, language, { isShort, level: 3 }));
  const left = total - items.length;
  return section(total, {
    heading: memberDigestTexts[language].unreviewed(total),
    lines: shown.map(({ text }) => `${text}\n`),
    body: html`${shown.map((part) => part.html)}`,
    rest: left > 0 ? restOf({ count: left, link }, language) : null,
  });
}

function clientsSection({ language, unreachable: { items, total, link } }: MemberDigest): Section {
  const texts = memberDigestTexts[language];
  const rows = items.map(({ id, name, link }) => {
    const named = isolated(cleanLine(name ?? '', 120));
    return { name: named === '' ? texts.client(id) : named, link };
  });
  return section(total, {
    heading: texts.unreachable,
    lines: [texts.unreachableNote, ...rows.map(({ name, link }) => `- ${name}\n  ${link}`)],
    body: html`${paragraph(texts.unreachableNote)}${rows.map(({ name, link }) =>
      paragraph(html`<a href="${link}">${name}</a>`),
    )}`,
    rest: moreOf(total - items.length, { sentence: texts.moreClients, label: texts.list, link }),
  });
}

function endpointsSection({ language, endpoints }: MemberDigest): Section {
  const texts = memberDigestTexts[language];
  const rows = endpoints.map(({ host, at, isDisabled, link }) => {
    const say = isDisabled ? texts.disabled : texts.failing;
    return { sentence: say(cleanLine(host, 253), dateInWords(at, language)), link };
  });
  return section(rows.length, {
    heading: texts.endpoints,
    lines: rows.map(({ sentence, link }) => `- ${sentence}\n  ${link}`),
    body: html`${rows.map(({ sentence, link }) => paragraph(html`<a href="${link}">${sentence}</a>`))}`,
    rest: null,
  });
}

type Content = {
  heading: string;
  lines: readonly string[];
  body: Markup;
  rest: { text: string; html: Markup } | null;
};

function section(total: number, { heading, lines, body, rest }: Content): Section {
  if (total === 0) return null;
  return {
    text: [`${heading}:`, ...lines, ...(rest === null ? [] : [rest.text])].join('\n').trimEnd(),
    html: html`${headingOf(2, heading)}${body}${rest?.html}`,
  };
}

type Rest = { sentence(count: number): string; label: string; link: string };

function moreOf(count: number, { sentence, label, link }: Rest) {
  if (count <= 0) return null;
  return {
    text: `${sentence(count)} ${label}:\n${link}`,
    html: paragraph(html`<strong>${sentence(count)}</strong> <a href="${link}">${label}</a>`),
  };
}
