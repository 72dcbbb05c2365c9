import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { escapeHtml } from '@casewatch/platform';

const style = fileBesideThis('style.css');
const script = fileBesideThis('reference.mjs');

/** A page cannot load or send anything: one inline style sheet and one inline script are allowed. */
export const pagePolicy = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(script)}'`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

// Without it browsers ask for /favicon.ico.
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6" fill="none" stroke="#4f5bd5" stroke-width="3"/></svg>',
)}`;

type Page = {
  title: string;
  description: string;
  main: string;
  aside?: string;
  isReference?: true;
  isGuide?: true;
};

export function layout({ title, description, main, aside = '', isReference, isGuide }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeHtml(description)}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${icon}">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="/">Casewatch</a>
<nav aria-label="Site"><a href="/docs/guide">Guide</a> <a href="/docs">API reference</a> <a href="/openapi.json">OpenAPI</a></nav>
</header>
<div class="${isReference || isGuide ? 'columns' : 'single'}">
${aside}
<main id="content">
${main}
</main>
</div>
<footer><p>Casewatch is not affiliated with USCIS or any other part of the government, and gives no legal advice.</p></footer>
${isReference ? `<script>${script}</script>` : ''}
</body>
</html>
`;
}

function fileBesideThis(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
