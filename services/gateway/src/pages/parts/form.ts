import { randomUUID } from 'node:crypto';
import { html, type Markup } from '@casewatch/platform';
import type { Refusal } from '../page.ts';
import { hidden } from './field.ts';
import { notice, type Tone } from './pill.ts';

type Form = {
  readonly action: string;
  readonly content?: Markup | null;
  readonly button: string;
  readonly tone?: 'primary' | 'plain' | 'danger';
  readonly refusal?: Refusal | null | undefined;
  /** A form that creates something: sending it twice creates one thing. */
  readonly isOnce?: boolean;
};

export function form({ action, content, button, tone = 'primary', refusal, isOnce }: Form): Markup {
  const key = refusal?.posted.idempotency_key;
  return html`<form method="post" action="${action}" class="form">
${refusal && notice('bad', refusal.message)}
${isOnce && hidden('idempotency_key', typeof key === 'string' ? key : randomUUID())}${content}
<div class="actions"><button type="submit" class="button ${tone}">${button}</button></div>
</form>`;
}

/** A button that posts at once, for what can be undone. */
export function buttonForm(action: string, button: string, tone: 'primary' | 'plain' = 'plain'): Markup {
  return html`<form method="post" action="${action}"><button type="submit" class="button ${tone}">${button}</button></form>`;
}

/** A form that opens below its button: the first press asks, the second press acts. Works without script. */
export function disclosure(
  options: Form & { readonly summary: string; readonly text?: string; readonly summaryTone?: Tone },
): Markup {
  const isOpen = options.refusal !== undefined && options.refusal !== null;
  return html`<details class="disclosure"${isOpen && html` open`}><summary class="button ${options.summaryTone ?? 'plain'}">${options.summary}</summary>
<div class="card">${options.text !== undefined && html`<p>${options.text}</p>`}
${form(options)}</div></details>`;
}
