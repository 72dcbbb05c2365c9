import { html } from '@casewatch/platform';
import type { NotificationFacts } from '../domain/notification-facts.ts';
import { type CaseMail, renderCaseMail } from './case-mail.ts';
import { localTimeInWords } from './date-in-words.ts';
import { digestMailTexts } from './digest-mail-texts.ts';
import { paragraph, type RenderedMail, softParagraph } from './layout.ts';
import { statusMailTexts } from './status-mail-texts.ts';
import { styles } from './styles.ts';
import { contentOfUpdate } from './update-content.ts';
import { updateHtml } from './update-html.ts';
import { updateText } from './update-text.ts';
import { updateTexts } from './update-texts.ts';

const template = 'digest_mail@6';

/** notifier.md, Sending */
export const maxDigestItems = 50;
/** Gmail cuts a mail at 102 KB of HTML, and the mail ends in the link that switches mails off. Bytes of either part. */
const maxBytes = 100_000;
/** Longest link below what has no room, characters: a longer one has no room either. */
const maxLink = 2_048;

export type DigestItem = {
  facts: NotificationFacts;
  observedAt: Date;
  /** Address of the case, if there is one. */
  link: string | null;
};

export type DigestMail = CaseMail & { items: readonly DigestItem[] };

/** Several updates of one user in one mail, the newest first. @throws Error if there are none or too many */
export function renderDigestMail(mail: DigestMail): RenderedMail {
  const { language, items } = mail;
  if (items.length === 0 || items.length > maxDigestItems)
    throw new Error(`a digest has 1 to ${maxDigestItems} items; not ${items.length}`);
  const cases = new Set(items.map(({ facts }) => facts.user_case_id));
  const texts = digestMailTexts[language];
  const frame = cases.size === 1 ? texts.oneCase : texts.severalCases;
  const lastFour = items[0]?.facts.receipt_masked.slice(-4) ?? '';
  const newestFirst = [...items].sort((a, b) => b.observedAt.getTime() - a.observedAt.getTime());
  const partsWith = (options: { hasOfficial: boolean }) =>
    newestFirst.map((item) => renderItem(item, mail, options));
  const render = (parts: readonly ReturnType<typeof renderItem>[]) => {
    const rest = restOf(mail, newestFirst.slice(parts.length));
    return renderCaseMail(mail, {
      ...texts,
      template,
      subject: cases.size === 1 ? statusMailTexts[language].subject(lastFour) : texts.severalCases.subject,
      heading: frame.heading,
      intro: texts.intro(parts.length),
      paragraphs: [...parts.map(({ text }) => text), rest?.text ?? null],
      body: html`${paragraph(texts.intro(parts.length))}${parts.map((part) => part.html)}${rest?.html ?? null}`,
    });
  };
  const whole = render(partsWith({ hasOfficial: true }));
  if (hasRoom(whole)) return whole;
  const short = partsWith({ hasOfficial: false });
  // By halves, because each try renders the mail.
  let fits = 0;
  for (let tooMany = short.length + 1; tooMany - fits > 1; ) {
    const count = Math.ceil((fits + tooMany) / 2);
    if (hasRoom(render(short.slice(0, count)))) fits = count;
    else tooMany = count;
  }
  return render(short.slice(0, fits));
}

/** The words of USCIS go first, then the oldest updates. */
function hasRoom(mail: RenderedMail): boolean {
  return [mail.html, mail.text].every((part) => Buffer.byteLength(part) <= maxBytes);
}

/** Says how many updates have no room, and where they are: at the first of them that has a short enough link. */
function restOf({ language }: DigestMail, left: readonly DigestItem[]) {
  if (left.length === 0) return null;
  const sentence = digestMailTexts[language].more(left.length);
  const link = left.find(({ link }) => link !== null && link.length <= maxLink)?.link ?? null;
  const label = updateTexts[language].link;
  return {
    text: link === null ? sentence : `${sentence}\n${label}:\n${link}`,
    html: html`${paragraph(html`<strong>${sentence}</strong>`)}${
      link === null ? null : paragraph(html`<a href="${link}">${label}</a>`)
    }`,
  };
}

function renderItem(
  { facts, observedAt, link }: DigestItem,
  { language }: DigestMail,
  options: { hasOfficial: boolean },
) {
  const { seen, link: linkLabel } = updateTexts[language];
  const content = contentOfUpdate(facts, language, { ...options, maxEntries: options.hasOfficial ? 2 : 1 });
  const seenAt = seen(localTimeInWords(observedAt, language));
  const linkHtml = link === null ? null : paragraph(html`<a href="${link}">${linkLabel}</a>`);
  return {
    text: [
      `* ${content.aboutCase}\n${seenAt}`,
      ...updateText(content, language),
      ...(link === null ? [] : [`${linkLabel}:\n${link}`]),
    ].join('\n\n'),
    html: html`<h2 class="item" style="${styles.item}">${content.aboutCase}</h2>
${softParagraph(seenAt)}${updateHtml(content, language, 3)}${linkHtml}`,
  };
}
