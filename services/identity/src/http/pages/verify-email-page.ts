import type { Language } from '@casewatch/contracts';
import { verifyEmailTexts } from './verify-email-texts.ts';

/** Asks to press the button; opening the link changes nothing. */
export function confirmPage(language: Language, token: string): string {
  const { confirm } = verifyEmailTexts[language];
  // The address is relative, so that it holds under whatever path the public address has.
  const form = `<form method="post" action="verify-email">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button type="submit">${confirm.button}</button>
</form>`;
  return page(language, confirm, form);
}

export function donePage(language: Language): string {
  return page(language, verifyEmailTexts[language].done);
}

export function invalidPage(language: Language): string {
  return page(language, verifyEmailTexts[language].invalid);
}

function page(language: Language, { title, text }: { title: string; text: string }, more = ''): string {
  return `<!doctype html>
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
${more}
</main>
</body>
</html>
`;
}

const style = `
:root { color-scheme: light dark; }
body { margin: 0; font: 1.125rem/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 15vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; }
button { font: inherit; min-height: 3rem; padding: 0 1.5rem; border: 0; border-radius: .5rem; background: #1a56db; color: #fff; cursor: pointer; }
button:focus-visible { outline: 3px solid; outline-offset: 3px; }
`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The five characters that mean something in HTML text and attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
