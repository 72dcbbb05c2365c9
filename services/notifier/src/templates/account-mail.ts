import type { Language } from '@casewatch/contracts';
import { html } from '@casewatch/platform';
import { accountMailTexts } from './account-mail-texts.ts';
import { button, layout, type RenderedMail } from './layout.ts';

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
  const { login_code: texts, disclaimer } = accountMailTexts[language];
  const validity = texts.validity(mail.validMinutes);
  const body = html`<p style="margin:0 0 16px">${texts.code}</p>
<p style="margin:0 0 16px;font-size:28px;letter-spacing:4px"><strong>${mail.code}</strong></p>
<p style="margin:0 0 16px">${validity}</p>
<p style="margin:0">${texts.unasked}</p>`;
  return {
    subject: texts.subject,
    text: `${[texts.code, mail.code, validity, texts.unasked, `--\n${disclaimer}`].join('\n\n')}\n`,
    html: layout({ language, heading: texts.heading, body, foot: [disclaimer] }),
  };
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
  const { disclaimer } = accountMailTexts[language];
  const body = html`<p style="margin:0 0 16px">${texts.intro}</p>
${button(link, texts.button)}
<p style="margin:0 0 16px;word-break:break-all">${link}</p>
<p style="margin:0 0 16px">${texts.validity}</p>
<p style="margin:0">${texts.last}</p>`;
  return {
    subject: texts.subject,
    text: `${[texts.intro, link, texts.validity, texts.last, `--\n${disclaimer}`].join('\n\n')}\n`,
    html: layout({ language, heading: texts.heading, body, foot: [disclaimer] }),
  };
}

function takenMail(language: Language): RenderedMail {
  const { address_taken: texts, disclaimer } = accountMailTexts[language];
  const body = html`<p style="margin:0 0 16px">${texts.intro}</p>
<p style="margin:0 0 16px">${texts.next}</p>
<p style="margin:0">${texts.unasked}</p>`;
  return {
    subject: texts.subject,
    text: `${[texts.intro, texts.next, texts.unasked, `--\n${disclaimer}`].join('\n\n')}\n`,
    html: layout({ language, heading: texts.heading, body, foot: [disclaimer] }),
  };
}
