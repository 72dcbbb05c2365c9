import type { Language } from '@casewatch/contracts';
import { html, type Markup } from './html.ts';

export type PageAnswer = { page: string; status: number; headers: Record<string, string> };

const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page's address has a token, so no referrer is sent to other sites. */
export function answerPage(page: string, status = 200): PageAnswer {
  return { page, status, headers: { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' } };
}

export function personPage(
  language: Language,
  { title, text }: { title: string; text: string },
  form: Markup | null = null,
): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
${form}</main>
</body>
</html>
`.html;
}

/** Inserted as text: must not have the five characters that `html` escapes. */
const style = `
:root { color-scheme: light dark; }
body { margin: 0; font: 1.125rem/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 15vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; }
button { font: inherit; min-height: 3rem; padding: 0 1.5rem; border: 0; border-radius: .5rem; background: #1a56db; color: #fff; cursor: pointer; }
button:focus-visible { outline: 3px solid; outline-offset: 3px; }
`;
