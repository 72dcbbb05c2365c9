import { html, type Markup } from '@casewatch/platform';

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'idle';

/** A state in one word. The dot repeats the tone for the eye; the text says it. */
export function pill(tone: Tone, text: string): Markup {
  return html`<span class="pill ${tone}">${text}</span>`;
}

/** A sentence on top of a page. Screen readers read it aloud when it appears. */
export function notice(tone: Tone, text: Markup | string): Markup {
  return html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}"><p>${text}</p></div>`;
}
