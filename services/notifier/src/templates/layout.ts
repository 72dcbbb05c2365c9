import { htmlLanguage, type Language } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { darkStyle, styles } from './styles.ts';

export type RenderedMail = {
  /** Name and version of the template. Raise the version when the words or the look change. */
  template: string;
  /** Name of the partner, for the sender's name; null if the mail is ours alone. */
  fromName: string | null;
  subject: string;
  text: string;
  html: string;
};

type Parts = {
  language: Language;
  /** Shown beside the subject in lists and on lock screens, so it is neutral. */
  preheader: string;
  /** Name of who writes. */
  brand: string;
  logo?: Markup | null;
  heading: string;
  body: Markup;
  foot: readonly (string | Markup)[];
};

/** Name of who writes where there is no partner. */
export const ourName = 'Casewatch';

/** No script, and no remote image except a partner's logo. Tables, because Outlook for Windows ignores the width of other boxes. */
export function layout({ language, preheader, brand, logo = null, heading, body, foot }: Parts): string {
  const page = html`<!doctype html>
<html lang="${htmlLanguage[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${heading}</title>
<style>${darkStyle}</style>
</head>
<body class="page" style="${styles.page}">
<div style="${styles.hidden}">${preheader}${filler}</div>
${table('100%', html`class="page" bgcolor="#f3f5f8"`)}<tr><td align="center" style="padding:24px 12px">
<!--[if mso]>${table('560', html``)}<tr><td><![endif]-->
${table('100%', html`style="max-width:560px"`)}
<tr><td align="left" class="soft" style="${styles.brand}">${logo}${brand}</td></tr>
<tr><td align="left" class="card" bgcolor="#ffffff" style="${styles.card}">
<h1 style="${styles.heading}">${heading}</h1>
${body}
</td></tr>
<tr><td align="left" class="soft" style="${styles.foot}">
${foot.map((line) => html`<p style="margin:0 0 8px">${line}</p>\n`)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`;
  return page.html;
}

/** Invisible characters: without them a preview continues with the first words of the mail. */
const filler = html`${Array.from({ length: 80 }, () => html`&#847;&zwnj;&nbsp;`)}`;

function table(width: string, attributes: Markup): Markup {
  return html`<table role="presentation" width="${width}" cellpadding="0" cellspacing="0" border="0" ${attributes}>`;
}

export function paragraph(content: string | Markup): Markup {
  return html`<p style="${styles.paragraph}">${content}</p>\n`;
}

export function softParagraph(content: string | Markup): Markup {
  return html`<p class="soft" style="${styles.softParagraph}">${content}</p>\n`;
}

/** Level of a heading: sections of a status mail are 2, those of an item of a digest are 3. */
export type Level = 2 | 3;

export function headingOf(level: Level, content: string): Markup {
  return level === 2
    ? html`<h2 style="${styles.section}">${content}</h2>\n`
    : html`<h3 style="${styles.subsection}">${content}</h3>\n`;
}

/** Words of others, with a line at their left. `language`: that of the words, if the mail has another one. */
export function quotation(content: Markup, language: Language | null): Markup {
  const lang = language === null ? null : html` lang="${htmlLanguage[language]}"`;
  return html`${table('100%', html`style="margin:0 0 16px"`)}<tr><td class="quote"${lang} style="${styles.quote}">${content}</td></tr></table>\n`;
}

/** What the reader has to do: the part that must not be missed. */
export function callout(content: Markup): Markup {
  return html`${table('100%', html`style="margin:0 0 20px"`)}<tr><td class="callout" bgcolor="#e9f1fd" style="${styles.callout}">
${content}</td></tr></table>\n`;
}

/** Outlook for Windows ignores the padding of a link and uses that of the cell. */
export function button(href: string, label: string): Markup {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 20px"><tr><td class="button" bgcolor="#1f5fbf" style="${styles.buttonCell}"><a href="${href}" style="${styles.button}">${label}</a></td></tr></table>\n`;
}

/** The text part: paragraphs, then the lines of the foot below a signature mark, which ends in a space (RFC 3676 §4.3). */
export function textPart(paragraphs: readonly (string | null)[], foot: readonly string[]): string {
  const shown = paragraphs.filter((part) => part !== null && part !== '');
  return `${[...shown, ['-- ', ...foot].join('\n')].join('\n\n')}\n`;
}
