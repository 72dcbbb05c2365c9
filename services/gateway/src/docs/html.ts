import { escapeHtml } from '@casewatch/platform';

export function inline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

/** Markdown of the interface's description: `## ` headings and paragraphs. */
export function sections(text: string): string {
  return text
    .split('\n\n')
    .map((block) =>
      block.startsWith('## ')
        ? `<h2 id="${idOf(block.slice(3))}">${block.slice(3)}</h2>`
        : `<p>${inline(block)}</p>`,
    )
    .join('\n');
}

export function idOf(heading: string): string {
  return heading.toLowerCase().replaceAll(' ', '-');
}

/** Focusable, because it scrolls. */
export function codeBlock(text: string, label: string): string {
  return `<pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>${highlighted(text)}</code></pre>`;
}

function highlighted(text: string): string {
  // A string that ends on its line, with the colon of a key, or a word that is a value.
  return text
    .split(/("(?:\\.|[^"\\\n])*":?|'(?:\\.|[^'\\\n])*':?|\b(?:true|false|null|True|False|None|\d+)\b)/)
    .map((part, index) => {
      const isValue = index % 2 === 1 && !part.endsWith(':');
      return isValue ? `<i>${escapeHtml(part)}</i>` : escapeHtml(part);
    })
    .join('');
}
