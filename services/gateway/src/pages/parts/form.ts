import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../page.ts';
import { notice, type Tone } from './blocks.ts';

type Form = {
  readonly action: string;
  readonly content?: Markup | null;
  readonly button: string;
  readonly tone?: 'primary' | 'plain' | 'danger';
  readonly refusal?: Refusal | null | undefined;
  /** A form that creates something: sending it twice creates one thing. */
  readonly isOnce?: boolean;
  /** A form that changes something: what it has now, by the names of `changedFields`. */
  readonly shown?: Shown;
  /** Another button of the same form. */
  readonly other?: Markup;
};

export function form({ action, content, button, tone = 'primary', refusal, ...options }: Form): Markup {
  const { isOnce, shown, other } = options;
  const key = refusal?.posted.idempotency_key;
  // A refused form still has what the page had when it was opened.
  const shownFirst = refusal?.posted.shown;
  return html`<form method="post" action="${action}" class="form">
${refusal && notice('bad', refusal.message)}
${isOnce && hidden('idempotency_key', typeof key === 'string' ? key : randomUUID())}${shown && hidden('shown', typeof shownFirst === 'string' ? shownFirst : JSON.stringify(shown))}${content}
<div class="actions"><button type="submit" class="button ${tone}">${button}</button>${other}</div>
</form>`;
}

/** A button that posts immediately, for what can be undone. `fields`: what is sent along, hidden. */
export function buttonForm(
  action: string,
  button: string,
  tone: 'primary' | 'plain' = 'plain',
  fields: Markup | null = null,
): Markup {
  return html`<form method="post" action="${action}">${fields}<button type="submit" class="button ${tone}">${button}</button></form>`;
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

type Filters = {
  /** Path of the page with the list. */
  readonly action: string;
  /** What the list has, for screen readers. */
  readonly label: string;
  readonly fields: readonly Markup[];
  /** The values that the list has now, by name. */
  readonly chosen: Readonly<Record<string, string | undefined>>;
  readonly refusal?: Refusal | null;
};

function filterForm({ action, label, fields }: Pick<Filters, 'action' | 'label' | 'fields'>): Markup {
  return html`<form method="get" action="${action}" class="filters" role="search" aria-label="${label}">
${fields.map((field) => html`${field}\n`)}<button type="submit" class="button">Filter</button>
</form>`;
}

/**
 * The filters of a list, which stand in the address of its page, behind one button: the list comes first. The button says how many are
 * chosen.
 */
export function filterButton({ chosen, refusal, ...filters }: Filters): Markup {
  const count = Object.values(chosen).filter((value) => value !== undefined).length;
  return html`<div class="filter"><details${refusal && html` open`}><summary class="button">${count > 0 ? `Filters (${count})` : 'Filters'}</summary>
${filterForm(filters)}</details>${count > 0 && html`<a class="button" href="${filters.action}">Clear the filters</a>`}</div>`;
}

/** Whether the address of a list has any filter, or a place in the list. */
export function isFiltered(query: Readonly<Record<string, unknown>>): boolean {
  return Object.values(query).some((value) => value !== undefined);
}

type Named = {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly refusal?: Refusal | null | undefined;
};

type Field = Named & {
  readonly value?: string | null | undefined;
  readonly type?: 'text' | 'email' | 'tel' | 'url' | 'number' | 'search' | 'date' | 'time';
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  /** For the browser's own completion (HTML, autofill); default: off. */
  readonly autocomplete?: string;
  readonly inputmode?: 'numeric';
  /** Most characters that the operation takes. */
  readonly maxLength?: number;
};

/** One line of text, with its hint and the reason of a refusal. */
export function field(options: Field): Markup {
  const { name, type = 'text', isRequired = false, placeholder, autocomplete = 'off' } = options;
  const { inputmode, maxLength } = options;
  return labelled(
    options,
    html`<input id="f-${name}" name="${name}" type="${type}" value="${typedValue(options)}" autocomplete="${autocomplete}"${inputmode && html` inputmode="${inputmode}"`}${maxLength !== undefined && html` maxlength="${maxLength}"`}${placeholder !== undefined && html` placeholder="${placeholder}"`}${isRequired && html` required`}${described(options)}>`,
  );
}

/** Several lines of text. */
export function textArea(
  options: Named & { readonly value?: string; readonly placeholder?: string },
): Markup {
  const { name, placeholder } = options;
  return labelled(
    options,
    html`<textarea id="f-${name}" name="${name}" rows="3" spellcheck="false"${placeholder !== undefined && html` placeholder="${placeholder}"`}${described(options)}>${typedValue(options)}</textarea>`,
  );
}

type Choice = { readonly value: string; readonly text: string };

/** Values that are their own texts. `all`: the text of a first choice without a value. */
export function choicesOf(values: readonly string[], all?: string): Choice[] {
  const choices = values.map((value) => ({ value, text: value }));
  return all === undefined ? choices : [{ value: '', text: all }, ...choices];
}

type Select = Named & {
  readonly value?: string | null | undefined;
  readonly choices: readonly Choice[];
  /** Instead of the name, where a page has two fields of one name. */
  readonly id?: string;
};

export function select(options: Select): Markup {
  const { name, id = name } = options;
  const chosen = typedValue(options);
  const items = options.choices.map(
    ({ value, text }) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  );
  const named = { ...options, name: id };
  return labelled(named, html`<select id="f-${id}" name="${name}"${described(named)}>${items}</select>`);
}

/** Boxes with one name: the form sends each checked value. */
export function checkboxes(
  options: Named & { readonly chosen: readonly string[]; readonly choices: readonly Choice[] },
): Markup {
  const posted = options.refusal?.posted[options.name];
  const chosen = options.refusal ? [posted ?? []].flat() : options.chosen;
  return html`<fieldset class="field"><legend>${options.label}</legend>${hintOf(options)}
<div class="boxes">${options.choices.map(
    ({ value, text }) =>
      html`<label class="box"><input type="checkbox" name="${options.name}" value="${value}"${chosen.includes(value) && html` checked`}> ${text}</label>\n`,
  )}</div>${errorOf(options)}</fieldset>`;
}

export function checkbox(
  options: Named & { readonly isChecked?: boolean; readonly isRequired?: boolean },
): Markup {
  const isChecked = options.refusal ? options.refusal.posted[options.name] === 'on' : options.isChecked;
  return html`<div class="field"><label class="box"><input type="checkbox" id="f-${options.name}" name="${options.name}"${isChecked && html` checked`}${options.isRequired && html` required`}${described(options)}> ${options.label}</label>${hintOf(options)}${errorOf(options)}</div>`;
}

export function hidden(name: string, value: string): Markup {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

function labelled(options: Named, control: Markup): Markup {
  return html`<div class="field"><label for="f-${options.name}">${options.label}</label>
${control}${hintOf(options)}${errorOf(options)}</div>`;
}

/** A refused form keeps what was typed. */
function typedValue({
  name,
  refusal,
  value,
}: Named & { readonly value?: string | null | undefined }): string {
  const posted = refusal?.posted[name];
  return typeof posted === 'string' ? posted : (value ?? '');
}

function hintOf({ name, hint }: Named): Markup | null {
  return hint === undefined ? null : html`<p class="hint" id="h-${name}">${hint}</p>`;
}

function errorOf({ name, refusal }: Named): Markup | null {
  const text = refusal?.fields[name];
  return text === undefined ? null : html`<p class="fault" id="e-${name}">${text}</p>`;
}

function described({ name, hint, refusal }: Named): Markup {
  const isWrong = refusal?.fields[name] !== undefined;
  const ids = [...(hint === undefined ? [] : [`h-${name}`]), ...(isWrong ? [`e-${name}`] : [])];
  return html`${ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`}${isWrong && html` aria-invalid="true"`}`;
}

/** Fields of a form as they are when a page is opened. */
export type Shown = Readonly<Record<string, unknown>>;

/** The hidden field of `Form.shown`, as JSON. Without it, or with something else in it, nothing is known of what was shown. */
export const shownFields = z
  .string()
  .optional()
  .transform((text): Shown => (text === undefined ? {} : readShown(text)));

function readShown(text: string): Shown {
  try {
    return z.record(z.string(), z.unknown()).safeParse(JSON.parse(text)).data ?? {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/**
 * The fields that somebody changed. A form has all of its fields, also those that were not touched: sent to the operation, they would
 * undo what a colleague changed after the page was opened. A program that posts no `shown` changes all of them.
 */
export function changedFields<Fields extends object>(fields: Fields, shown: Shown): Partial<Fields> {
  const changed = Object.entries(fields).filter(
    ([name, value]) => !Object.hasOwn(shown, name) || !isSame(value, shown[name]),
  );
  return Object.fromEntries(changed) as Partial<Fields>;
}

/** Boxes have no order. */
function isSame(one: unknown, other: unknown): boolean {
  const unordered = (value: unknown) => (Array.isArray(value) ? value.toSorted() : value);
  return isDeepStrictEqual(unordered(one), unordered(other));
}

/** Whether nothing is left to send: an operation refuses a change without fields. */
export function isEmpty(fields: object): boolean {
  return Object.keys(fields).length === 0;
}

/** A box that is not checked is not sent. */
export const checked = z
  .literal('on')
  .optional()
  .transform((value) => value === 'on');

/** Values of boxes with one name. */
export const several = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value) => (value === undefined ? [] : [value].flat()));

/** An empty field is left out. */
export const optionalText = z
  .string()
  .optional()
  .transform((text) => (text === undefined || text.trim() === '' ? undefined : text.trim()));

/** `2026-11-23`, from a field of the type date. */
export const optionalDay = z
  .union([z.literal(''), z.iso.date('must be a day, such as 2026-11-23')])
  .optional()
  .transform((day) => day || undefined);
