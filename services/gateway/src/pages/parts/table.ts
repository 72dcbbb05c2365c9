import { html, type Markup } from '@casewatch/platform';

type Table = {
  /** What the table lists, for screen readers. */
  readonly caption: string;
  readonly head: readonly string[];
  /** Cells of each row; the first cell names the row. */
  readonly rows: readonly (readonly (Markup | string)[])[];
  /** Shown instead of an empty table. */
  readonly empty: Markup;
};

export function table({ caption, head, rows, empty }: Table): Markup {
  if (rows.length === 0) return empty;
  return html`<div class="table" role="group" aria-label="${caption}" tabindex="0"><table>
<caption class="hidden">${caption}</caption>
<thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
<tbody>
${rows.map((cells) => html`<tr>${cells.map((cell, index) => cellOf(cell, head[index] ?? '', index === 0))}</tr>\n`)}</tbody>
</table></div>`;
}

/** On a phone each cell shows the name of its column. */
function cellOf(cell: Markup | string, column: string, isFirst: boolean): Markup {
  if (isFirst) return html`<th scope="row">${cell}</th>`;
  return html`<td data-column="${column}">${cell}</td>`;
}

export function emptyState({
  title,
  text,
  action,
}: {
  title: string;
  text: string;
  action?: Markup;
}): Markup {
  return html`<div class="empty"><h2>${title}</h2><p>${text}</p>${action}</div>`;
}
