import { escapeHtml } from '@casewatch/platform';

/** One paragraph's text; what stands between backticks is code. */
export function inline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

/** Text with empty lines between its paragraphs. */
export function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('\n');
}

/** Something that a person may want to copy. It scrolls by itself, so it can be reached by keyboard. */
export function codeBlock(text: string, label: string): string {
  return `<pre tabindex="0" role="region" aria-label="${escapeHtml(label)}"><code>${escapeHtml(text)}</code></pre>`;
}
