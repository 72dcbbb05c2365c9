import { createHash } from 'node:crypto';
import { escapeHtml } from '@casewatch/platform';
import { style } from './style.ts';

const styleHash = createHash('sha256').update(style).digest('base64');

/** Lets a page do nothing but show itself: the one style sheet within it, no script, no request anywhere. */
export const pagePolicy = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

// Without it browsers ask for /favicon.ico.
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6" fill="none" stroke="#2563a8" stroke-width="3"/></svg>',
)}`;

/** A whole page in the house's look; `aside` stands beside the content where there is room. */
export function layout(page: { title: string; description: string; main: string; aside?: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeHtml(page.description)}">
<title>${escapeHtml(page.title)}</title>
<link rel="icon" href="${icon}">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="/">Casewatch</a>
<nav aria-label="Site"><a href="/docs">Reference</a> <a href="/openapi.json">openapi.json</a> <a href="/openapi.yaml">openapi.yaml</a></nav>
</header>
<div class="${page.aside === undefined ? 'single' : 'columns'}">
${page.aside ?? ''}
<main id="content">
${page.main}
</main>
</div>
<footer><p>Casewatch is not affiliated with USCIS or any other part of the government, and gives no legal advice.</p></footer>
</body>
</html>
`;
}
