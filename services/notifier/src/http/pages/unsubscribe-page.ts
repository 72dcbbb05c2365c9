import type { Channel, Language } from '@casewatch/contracts';
import { html, type Markup } from '../../templates/html.ts';
import { unsubscribeTexts } from './unsubscribe-texts.ts';

/** Asks to press the button; opening the link changes nothing. */
export function confirmPage(language: Language, channel: Channel, token: string): string {
  const { confirm } = unsubscribeTexts[language][channel];
  // The address is this page's own, under whatever path the public address has; the field is that of RFC 8058 §3.2.
  const form = html`<form method="post" action="?token=${encodeURIComponent(token)}">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button type="submit">${confirm.button}</button>
</form>
`;
  return page(language, confirm, form);
}

export function donePage(language: Language, channel: Channel): string {
  return page(language, unsubscribeTexts[language][channel].done);
}

export function invalidPage(language: Language): string {
  return page(language, unsubscribeTexts[language].invalid);
}

function page(
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

/** As text, it must do without the five characters that `html` escapes. */
const style = `
:root { color-scheme: light dark; }
body { margin: 0; font: 1.125rem/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 15vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; }
button { font: inherit; min-height: 3rem; padding: 0 1.5rem; border: 0; border-radius: .5rem; background: #1a56db; color: #fff; cursor: pointer; }
button:focus-visible { outline: 3px solid; outline-offset: 3px; }
`;
