import { htmlLanguage, type Language } from '@casewatch/contracts';
import { html, type Markup } from './html.ts';

export type PageAnswer = { page: string; status: number; headers: Record<string, string> };

const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "form-action 'self'",
  // Our copy of the logo of a partner.
  "img-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page's address has a token, so no referrer is sent to other sites. */
export function answerPage(page: string, status = 200): PageAnswer {
  return { page, status, headers: { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' } };
}

const disclaimer: Record<Language, string> = {
  en: 'Casewatch is not USCIS or any other part of the government.',
  es: 'Casewatch no es USCIS ni ninguna otra agencia del gobierno.',
  pt: 'O Casewatch não é o USCIS nem nenhum outro órgão do governo.',
};

type Document = {
  readonly language: Language;
  readonly title: string;
  /** Styles and scripts. */
  readonly head: Markup;
  readonly body: Markup;
};

/** A whole document, as every page has it. */
export function htmlDocument({ language, title, head, body }: Document): string {
  return html`<!doctype html>
<html lang="${htmlLanguage[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`.html;
}

/** The partner in whose name a page speaks. `logo_url`: of our copy. */
export type PageBrand = { readonly name: string; readonly logo_url: string | null };

/** Who reads a page. `brand`: the reader's partner, whose name the mail with the link had; null: the page is ours alone. */
export type PageReader = { readonly language: Language; readonly brand: PageBrand | null };

/** A name without a letter or a digit says nothing: then the page is ours, as the mail was. */
export function pageBrandOf(name: string | null, logo_url: string | null): PageBrand | null {
  return name !== null && /[\p{L}\p{N}]/u.test(name) ? { name, logo_url } : null;
}

type PageText = { readonly title: string; readonly text: string | Markup };

/** A page that a link in a mail leads to. It has no script. `content`: what follows the text, such as a form. */
export function personPage(
  { language, brand }: PageReader,
  { title, text }: PageText,
  content: Markup | null = null,
): string {
  const body = html`<header>${brand ? brandHead(brand) : 'Casewatch'}</header>
<main>
<h1>${title}</h1>
<p>${text}</p>
${content}</main>
<footer>${disclaimer[language]}</footer>`;
  return htmlDocument({ language, title, head: html`<style>${style}</style>`, body });
}

/** The path alone: the page has the origin of the logo. The name stands beside it, so it needs no text of its own. */
function brandHead({ name, logo_url }: PageBrand): Markup {
  return html`${logo_url !== null && html`<img src="${new URL(logo_url).pathname}" alt="">`}${nameInText(name)}`;
}

/** A name that others chose, within words of ours: what it does to the direction of text ends with it (HTML, bdi). */
export function nameInText(name: string): Markup {
  return html`<bdi>${name}</bdi>`;
}

/** Inserted as text: must not have the five characters that `html` escapes. */
const style = `
:root { color-scheme: light dark; --back: #f3f5f8; --card: #ffffff; --ink: #1d232b; --soft: #4f5b69; --line: #c3ccd6; --blue: #1f5fbf; --edge: #1f5fbf; }
@media (prefers-color-scheme: dark) {
:root { --back: #14181d; --card: #1e242c; --ink: #e9edf2; --soft: #aeb8c4; --line: #3c4651; --edge: #9cc2fb; }
}
body { margin: 0; padding: 10vh 1rem 2rem; background: var(--back); color: var(--ink); font: 1.125rem/1.5 Arial, Helvetica, sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 32rem; margin: 0 auto; }
header { padding: 0 .25rem .75rem; color: var(--soft); font-size: 1rem; font-weight: bold; }
header img { display: block; max-width: 10rem; max-height: 2.5rem; margin: 0 0 .375rem; }
@media (prefers-color-scheme: dark) { header img { padding: .25rem; border-radius: .25rem; background: #ffffff; } }
main { box-sizing: border-box; padding: 1.5rem; background: var(--card); border-radius: .5rem; }
footer { padding: 1rem .25rem 0; color: var(--soft); font-size: .875rem; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 1.5rem 0 .5rem; padding: 1.5rem 0 0; border-top: 1px solid var(--line); font-size: 1.125rem; }
p { margin: 0 0 1rem; }
main p:last-child { margin-bottom: 0; }
form { margin: 1.5rem 0 .25rem; }
a { color: var(--edge); display: inline-block; padding: .5rem 0; }
button { font: inherit; font-weight: bold; min-height: 3rem; padding: .5rem 1.5rem; border: 2px solid var(--blue); border-radius: .5rem; background: var(--blue); color: #ffffff; cursor: pointer; }
button.second { border-color: var(--edge); background: transparent; color: var(--edge); }
a:focus-visible, button:focus-visible { outline: 3px solid var(--edge); outline-offset: 3px; }
`;
