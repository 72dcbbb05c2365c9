/** HTML that is already escaped. */
export interface Markup {
  readonly markup: string;
}

type Value = string | number | null | undefined | Markup | readonly Markup[];

/** Builds HTML and escapes every value that is not made by `html`. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  const markup = parts.reduce((text, part, index) => text + render(values[index - 1]) + part);
  return { markup };
}

function render(value: Value): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  if ('markup' in value) return value.markup;
  return value.map((piece) => piece.markup).join('');
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
