import type { Language } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { accountMailTexts } from './account-mail-texts.ts';
import { button, layout, ourName, paragraph, type RenderedMail, textPart } from './layout.ts';
import { styles } from './styles.ts';

const template = 'account_mail@6';

/** It contains no text that a caller wrote (notifier.md). */
export type AccountMail =
  | { kind: 'login_code'; code: string; validMinutes: number }
  | { kind: 'verify_email'; link: string }
  | { kind: 'address_changed'; link: string }
  | { kind: 'address_taken' }
  | { kind: 'confirm_new_address'; link: string }
  | { kind: 'address_change_asked'; link: string };

/** A code mail has one six-digit number and no `token=`; a link has a line of its own (interface.md, Small print). */
export function renderAccountMail(mail: AccountMail, language: Language): RenderedMail {
  if (mail.kind === 'login_code') return codeMail(mail, language);
  if (mail.kind === 'address_taken') return takenMail(language);
  const texts = accountMailTexts[language][mail.kind];
  const last = 'asked' in texts ? texts.asked : texts.unasked;
  return linkMail({ ...texts, last }, mail.link, language);
}

function codeMail(mail: AccountMail & { kind: 'login_code' }, language: Language): RenderedMail {
  const { login_code: texts } = accountMailTexts[language];
  const validity = texts.validity(mail.validMinutes);
  const code = html`<p style="margin:0 0 16px;font-size:30px;line-height:36px;letter-spacing:4px"><strong>${mail.code}</strong></p>
`;
  return framed(texts, language, {
    preheader: validity,
    paragraphs: [texts.code, mail.code, validity, texts.unasked],
    body: html`${paragraph(texts.code)}${code}${paragraph(validity)}${paragraph(texts.unasked)}`,
  });
}

type LinkTexts = {
  subject: string;
  heading: string;
  intro: string;
  button: string;
  validity: string;
  last: string;
};

function linkMail(texts: LinkTexts, link: string, language: Language): RenderedMail {
  const address = html`<p class="soft" style="${styles.softParagraph};word-break:break-all">${link}</p>
`;
  return framed(texts, language, {
    preheader: texts.intro,
    paragraphs: [texts.intro, link, texts.validity, texts.last],
    body: html`${paragraph(texts.intro)}${button(link, texts.button)}${address}${paragraph(texts.validity)}${paragraph(
      texts.last,
    )}`,
  });
}

function takenMail(language: Language): RenderedMail {
  const { address_taken: texts } = accountMailTexts[language];
  const paragraphs = [texts.intro, texts.next, texts.unasked];
  const body = html`${paragraphs.map((part) => paragraph(part))}`;
  return framed(texts, language, { preheader: texts.intro, paragraphs, body });
}

type Frame = { preheader: string; paragraphs: string[]; body: Markup };

function framed(
  { subject, heading }: { subject: string; heading: string },
  language: Language,
  { preheader, paragraphs, body }: Frame,
): RenderedMail {
  const { disclaimer } = accountMailTexts[language];
  return {
    template,
    fromName: null,
    subject,
    text: textPart(paragraphs, [disclaimer]),
    html: layout({ language, preheader, brand: ourName, heading, body, foot: [disclaimer] }),
  };
}
