import { html, type Markup } from '@casewatch/platform';

export type Moment = { readonly isCurrent: boolean; readonly content: Markup };

/** Newest first. */
export function timeline(moments: readonly Moment[]): Markup {
  return html`<ol class="timeline">
${moments.map(({ isCurrent, content }) => html`<li class="${isCurrent ? 'current' : 'past'}">${content}</li>\n`)}</ol>`;
}
