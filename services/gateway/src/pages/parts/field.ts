import { html, type Markup } from '@casewatch/platform';
import type { Refusal } from '../page.ts';

type Named = {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly refusal?: Refusal | null | undefined;
};

type Field = Named & {
  readonly value?: string | null;
  readonly type?: 'text' | 'email' | 'tel' | 'url' | 'number' | 'search' | 'date' | 'datetime-local';
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  /** For the browser's own completion (HTML, autofill); default: off. */
  readonly autocomplete?: string;
  readonly inputmode?: 'numeric';
};

/** One line of text, with its hint and the reason of a refusal. */
export function field(options: Field): Markup {
  const { name, type = 'text', isRequired = false, placeholder, autocomplete = 'off', inputmode } = options;
  return labelled(
    options,
    html`<input id="f-${name}" name="${name}" type="${type}" value="${typedValue(options)}" autocomplete="${autocomplete}"${inputmode && html` inputmode="${inputmode}"`}${placeholder !== undefined && html` placeholder="${placeholder}"`}${isRequired && html` required`}${described(options)}>`,
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

export type Choice = { readonly value: string; readonly text: string };

type Select = Named & {
  readonly value?: string | null;
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
function typedValue({ name, refusal, value }: Named & { readonly value?: string | null }): string {
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
