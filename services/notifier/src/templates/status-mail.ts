import { html } from '@casewatch/platform';
import type { NotificationFacts } from '../domain/notification-facts.ts';
import { type CaseMail, renderCaseMail } from './case-mail.ts';
import { localTimeInWords } from './date-in-words.ts';
import { button, paragraph, type RenderedMail, softParagraph } from './layout.ts';
import { statusMailTexts } from './status-mail-texts.ts';
import { contentOfUpdate } from './update-content.ts';
import { updateHtml } from './update-html.ts';
import { updateText } from './update-text.ts';
import { updateTexts } from './update-texts.ts';

const template = 'status_mail@7';

export type StatusMail = CaseMail & {
  facts: NotificationFacts;
  observedAt: Date;
  /** Address of the case, if there is one. */
  link: string | null;
};

/** The change, what to do, what it means and the words of USCIS (notifier.md, Content). */
export function renderStatusMail(mail: StatusMail): RenderedMail {
  const { language, facts, link } = mail;
  const texts = statusMailTexts[language];
  const { seen, link: linkLabel } = updateTexts[language];
  const content = contentOfUpdate(facts, language);
  const seenAt = seen(localTimeInWords(mail.observedAt, language));
  return renderCaseMail(mail, {
    template,
    ...texts,
    subject: texts.subject(facts.receipt_masked.slice(-4)),
    paragraphs: [
      content.aboutCase,
      seenAt,
      ...updateText(content, language),
      link === null ? null : `${linkLabel}:\n${link}`,
    ],
    body: html`${paragraph(content.aboutCase)}${softParagraph(seenAt)}${updateHtml(content, language, 2)}${
      link === null ? null : button(link, linkLabel)
    }`,
  });
}
