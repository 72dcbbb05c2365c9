import type { Language } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { brandOf, type ShownPartner } from './brand.ts';
import { footTexts } from './foot-texts.ts';
import { layout, ourName, type RenderedMail, textPart } from './layout.ts';

/** What a mail about one case and a mail about several have in common. */
export type CaseMail = {
  language: Language;
  partner: ShownPartner | null;
  /** Address of the page that switches these mails off. */
  unsubscribe: string;
};

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
  const { name, inSentence, contact, logo } = brandOf(partner);
  const reasons = [
    inSentence === null ? parts.why : parts.whyPartner(inSentence),
    ...(contact !== null ? [texts.support(contact)] : []),
    texts.advice,
    texts.disclaimer,
  ];
  const stopLink = html`<a href="${unsubscribe}">${texts.stop}</a>`;
  return {
    template,
    fromName: name,
    subject,
    text: textPart([heading, intro, ...parts.paragraphs], [...reasons, `${texts.stop}:`, unsubscribe]),
    html: layout({
      language,
      preheader: intro,
      brand: name ?? ourName,
      logo,
      heading,
      body: parts.body,
      foot: [...reasons, stopLink],
    }),
  };
}
