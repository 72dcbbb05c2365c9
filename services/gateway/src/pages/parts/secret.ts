import { html, type Markup } from '@casewatch/platform';

/** A value to copy. One click selects all of it; the script adds a button. */
export function secret(value: string): Markup {
  return html`<span class="secret"><code>${value}</code></span>`;
}
