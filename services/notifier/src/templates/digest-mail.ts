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

const template = 'digest_mail@4';

/** notifier.md, Sending */
export const maxDigestItems = 50;
/** With more, the words of USCIS are left out: Gmail cuts mails of 102 KB, and the mail ends in the link that switches mails off. */
const maxItemsWithOfficial = 20;

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
  const parts = newestFirst.map((item) => renderItem(item, mail));
  return renderCaseMail(mail, {
    ...texts,
    template,
    subject: cases.size === 1 ? statusMailTexts[language].subject(lastFour) : texts.severalCases.subject,
    heading: frame.heading,
    intro: texts.intro(items.length),
    paragraphs: parts.map(({ text }) => text),
    body: html`${paragraph(texts.intro(items.length))}${parts.map((part) => part.html)}`,
  });
}

function renderItem({ facts, observedAt, link }: DigestItem, { language, items }: DigestMail) {
  const { seen, link: linkLabel } = updateTexts[language];
  const hasOfficial = items.length <= maxItemsWithOfficial;
  const content = contentOfUpdate(facts, language, { hasOfficial, maxEntries: hasOfficial ? 2 : 1 });
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
