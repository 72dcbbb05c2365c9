import { explainStatus, type Language } from '@casewatch/contracts';
import { html, type Markup, withBreaks } from '@casewatch/platform';
import type { NotificationFacts } from '../domain/notification-facts.ts';
import { cleanBlock, cleanLine } from './clean-text.ts';
import { dateInWords } from './date-in-words.ts';
import { button, layout, type RenderedMail } from './layout.ts';
import { statusMailTexts } from './status-mail-texts.ts';

export type StatusMail = {
  language: Language;
  facts: NotificationFacts;
  observedAt: Date;
  /** Null for a direct user. */
  partner: { name: string; logo_url: string | null; support_contact: string | null } | null;
  /** Address of the case, if there is one. */
  link: string | null;
};

/** The change, the text of USCIS, and its meaning (notifier.md, Content). */
export function renderStatusMail(mail: StatusMail): RenderedMail {
  const texts = statusMailTexts[mail.language];
  const content = contentOf(mail);
  return {
    subject: texts.subject(mail.facts.receipt_masked.slice(-4)),
    text: textOf(mail, content),
    html: htmlOf(mail, content),
  };
}

export function titleIn(title: NotificationFacts['title'], language: Language): string {
  return cleanLine(title[language] ?? title.en);
}

type Content = ReturnType<typeof contentOf>;

function contentOf({ language, facts, observedAt, partner }: StatusMail) {
  const texts = statusMailTexts[language];
  // USCIS publishes English and Spanish; the Portuguese text is ours.
  const official = language === 'es' && facts.title.es !== null && facts.text.es !== null ? 'es' : 'en';
  const partnerName = partner && cleanLine(partner.name, 120);
  const contact = partner?.support_contact ? cleanLine(partner.support_contact, 200) : null;
  const now = titleIn(facts.title, language);
  const before = facts.previous_title && titleIn(facts.previous_title, language);
  return {
    aboutCase: texts.aboutCase(facts.receipt_masked, facts.user_case_id),
    now,
    before: before === now ? null : before,
    isOnlyDetails: facts.kind === 'details' || before === now,
    officialTitle: titleIn(facts.title, official),
    officialText: cleanBlock(facts.text[official] ?? facts.text.en),
    officialLanguage: official === 'en' ? texts.officialLanguage : null,
    meaning: explainStatus(facts.title.en, facts.answer_by ?? null, language),
    partnerName,
    foot: [
      texts.seen(dateInWords(observedAt, language)),
      partnerName ? texts.whyPartner(partnerName) : texts.why,
      ...(contact ? [texts.support(contact)] : []),
      texts.disclaimer,
    ],
  };
}

function textOf({ language, link }: StatusMail, content: Content): string {
  const texts = statusMailTexts[language];
  const paragraphs = [
    texts.heading,
    content.aboutCase,
    [content.before && `${texts.before}: ${content.before}`, `${texts.now}: ${content.now}`]
      .filter((line) => line)
      .join('\n'),
    content.isOnlyDetails ? texts.onlyDetails : '',
    [`${texts.official}:`, content.officialTitle, content.officialText].join('\n'),
    content.officialLanguage ?? '',
    `${texts.meaning}:\n${content.meaning}`,
    link === null ? '' : `${texts.link}:\n${link}`,
    ['--', ...(content.partnerName ? [content.partnerName] : []), ...content.foot].join('\n'),
  ];
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`;
}

function htmlOf({ language, link, partner }: StatusMail, content: Content): string {
  const texts = statusMailTexts[language];
  const body = html`<p style="margin:0 0 16px">${content.aboutCase}</p>
<p style="margin:0 0 16px">${content.before === null ? null : html`${texts.before}: ${content.before}<br>`}${texts.now}: <strong>${content.now}</strong></p>
${content.isOnlyDetails ? html`<p style="margin:0 0 16px">${texts.onlyDetails}</p>\n` : null}${section(
  texts.official,
  html`<strong>${content.officialTitle}</strong><br>${withBreaks(content.officialText)}`,
)}
${content.officialLanguage === null ? null : html`<p style="margin:0 0 16px">${content.officialLanguage}</p>\n`}${section(
  texts.meaning,
  withBreaks(content.meaning),
)}
${link === null ? null : button(link, texts.link)}`;
  const logo = logoOf(partner?.logo_url ?? null, content.partnerName);
  return layout({
    language,
    heading: texts.heading,
    logo,
    body,
    foot: content.partnerName ? [content.partnerName, ...content.foot] : content.foot,
  });
}

function section(heading: string, body: Markup): Markup {
  return html`<h2 style="margin:0 0 4px;font-size:16px">${heading}</h2>\n<p style="margin:0 0 16px">${body}</p>`;
}

function logoOf(url: string | null, name: string | null): Markup | null {
  if (url === null || !url.startsWith('https://')) return null;
  return html`<img src="${url}" alt="${name ?? ''}" height="40" style="display:block;margin:0 0 16px;max-width:200px">\n`;
}
