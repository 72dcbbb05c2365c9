import type { Language } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { cleanLine } from './clean-text.ts';
import { footTexts } from './foot-texts.ts';
import { layout, ourName, type RenderedMail, textPart } from './layout.ts';

/** What a mail about one case and a mail about several have in common. */
export type CaseMail = {
  language: Language;
  partner: MailPartner | null;
  /** Address of the page that switches these mails off. */
  unsubscribe: string;
};

/** `logo_url`: of our copy. */
type MailPartner = { name: string; logo_url: string | null; support_contact: string | null };

type Parts = {
  template: string;
  subject: string;
  heading: string;
  /** Neutral: lock screens show it. */
  intro: string;
  /** Paragraphs of the text part, below the heading and the intro. */
  paragraphs: readonly (string | null)[];
  body: Markup;
  why: string;
  whyPartner(partner: string): string;
};

export function renderCaseMail({ language, partner, unsubscribe }: CaseMail, parts: Parts): RenderedMail {
  const texts = footTexts[language];
  const { template, subject, heading, intro } = parts;
  const name = partner && cleanLine(partner.name, 120);
  const contact = partner?.support_contact ? cleanLine(partner.support_contact, 200) : null;
  const reasons = [
    name ? parts.whyPartner(name) : parts.why,
    ...(contact ? [texts.support(contact)] : []),
    texts.advice,
    texts.disclaimer,
  ];
  const stopLink = html`<a href="${unsubscribe}">${texts.stop}</a>`;
  return {
    template,
    fromName: name || null,
    subject,
    text: textPart([heading, intro, ...parts.paragraphs], [...reasons, `${texts.stop}:`, unsubscribe]),
    html: layout({
      language,
      preheader: intro,
      brand: name || ourName,
      logo: partner && logoOf(partner),
      heading,
      body: parts.body,
      foot: [...reasons, stopLink],
    }),
  };
}

/** Without a text of its own: the name stands beside it. */
function logoOf({ logo_url: url }: MailPartner): Markup | null {
  if (!url?.startsWith('https://')) return null;
  return html`<img src="${url}" alt="" height="40" style="display:block;margin:0 0 8px;max-width:200px;border:0">\n`;
}
