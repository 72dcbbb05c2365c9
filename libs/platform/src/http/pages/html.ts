/** HTML that is safe to put into a page: only `html` makes it. */
export type Markup = { readonly html: string };

type Value = string | Markup | null | readonly Markup[];

/** Builds markup; every text put in is escaped, markup is taken as it is, null is nothing. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return {
    html: parts.map((part, i) => part + (i < values.length ? render(values[i] ?? null) : '')).join(''),
  };
}

/** Lines of a text, with breaks between them. */
export function withBreaks(text: string): Markup {
  return { html: text.split('\n').map(escapeHtml).join('<br>') };
}

function render(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string') return escapeHtml(value);
  return 'html' in value ? value.html : value.map((one) => one.html).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it stands in HTML, in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
