/** Safe HTML. Create it only with `html`. */
export type Markup = { readonly html: string };

type Value = string | Markup | null | readonly Markup[];

/** Texts are escaped, markup is not, null is empty. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return {
    html: parts.map((part, i) => part + (i < values.length ? render(values[i] ?? null) : '')).join(''),
  };
}

export function withBreaks(text: string): Markup {
  return { html: text.split('\n').map(escapeHtml).join('<br>') };
}

function render(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string') return escapeHtml(value);
  return 'html' in value ? value.html : value.map((markup) => markup.html).join('');
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
