/** Safe HTML. Create it only with `html`. */
export type Markup = { readonly html: string };

/** What a template takes. `false` and null are empty, so that `condition && html…` works. */
export type HtmlValue =
  | string
  | number
  | Markup
  | null
  | undefined
  | false
  | readonly (Markup | null | false)[];

/** Texts are escaped, also within quoted attributes; markup is not. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Markup {
  return {
    html: parts.map((part, i) => part + (i < values.length ? render(values[i] ?? null) : '')).join(''),
  };
}

export function withBreaks(text: string): Markup {
  return { html: text.split('\n').map(escapeHtml).join('<br>') };
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return 'html' in value ? value.html : value.map(render).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
