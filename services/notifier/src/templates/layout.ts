import type { Language } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';

export type RenderedMail = { subject: string; text: string; html: string };

// Each colour contains a letter: six digits would look like a sign-in code to programs that search mails for codes.
const styles = {
  page: 'margin:0;padding:24px 12px;background:#f3f5f8;font-family:Arial,Helvetica,sans-serif;color:#1d232b',
  card: 'max-width:560px;margin:0 auto;padding:28px;background:#ffffff;border-radius:8px;line-height:1.5',
  heading: 'margin:0 0 16px;font-size:20px;line-height:1.3',
  foot: 'max-width:560px;margin:16px auto 0;font-size:13px;line-height:1.5;color:#5a6573',
};

type Parts = {
  language: Language;
  heading: string;
  logo?: Markup | null;
  body: Markup;
  foot: readonly string[];
};

/** No script, no style sheet, and no remote image except a partner's logo. */
export function layout({ language, heading, logo = null, body, foot }: Parts): string {
  const page = html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${heading}</title></head>
<body style="${styles.page}">
<div style="${styles.card}">
${logo}<h1 style="${styles.heading}">${heading}</h1>
${body}
</div>
<div style="${styles.foot}">
${foot.map((line) => html`<p style="margin:0 0 8px">${line}</p>\n`)}</div>
</body>
</html>
`;
  return page.html;
}

export function button(href: string, label: string): Markup {
  return html`<p style="margin:20px 0"><a href="${href}" style="display:inline-block;padding:10px 18px;background:#1f5fbf;color:#ffffff;text-decoration:none;border-radius:6px">${label}</a></p>`;
}
