import type { Language } from '@casewatch/contracts';
import { html, htmlDocument, type Markup } from '@casewatch/platform';
import { type Asset, script, styleSheet } from './assets.ts';

/** Pages load only our style sheet and our script, and forms go only to us. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'same-origin',
};

/**
 * For a page whose address has a token and that has a form: nobody is told the address, but the form has its origin. Under `no-referrer`
 * alone a browser sends `Origin: null`, and one without Fetch Metadata could send none of these forms. It takes the last that it knows.
 */
export const linkPageHeaders = { 'referrer-policy': 'no-referrer, strict-origin' } as const;

// Without it browsers ask for /favicon.ico.
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="5.5" fill="none" stroke="#3d5fc4" stroke-width="3"/></svg>',
)}`;

type Frame = {
  readonly language: Language;
  readonly title: string;
  readonly body: Markup;
  /** Text of the link over the menu, for keyboards. */
  readonly skip?: string;
  readonly sheets?: readonly Asset[];
  readonly scripts?: readonly Asset[];
};

/** A whole document. `body` has a `mainPart` or a `cardBody`. */
export function documentOf({
  language,
  title,
  body,
  skip = 'Skip to content',
  sheets = [styleSheet],
  scripts = [script],
}: Frame): string {
  return htmlDocument({
    language,
    title,
    head: html`<link rel="icon" href="${icon}">
${sheets.map(({ path }) => html`<link rel="stylesheet" href="${path}">\n`)}${scripts.map(({ path }) => html`<script type="module" src="${path}"></script>`)}`,
    body: html`<a class="skip" href="#content">${skip}</a>
${body}`,
  });
}

/** What stands in the middle of a page. A live page asks for itself again while it is visible. */
export function mainPart(
  content: Markup,
  { isLive = false, seen = '' }: { readonly isLive?: boolean; readonly seen?: string | undefined } = {},
): Markup {
  return html`<main id="content" tabindex="-1"${isLive && html` data-live="${seen}"`}>
${content}
</main>`;
}

/** One calm card in the middle: sign-in, an error, the end of a session. */
export function cardBody(content: Markup): Markup {
  return html`<main id="content" class="card-page" tabindex="-1">
<p class="brand"><i class="mark" aria-hidden="true"></i>Casewatch</p>
<section class="card">
${content}
</section>
</main>`;
}
