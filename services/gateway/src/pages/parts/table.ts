import { html, type Markup } from '@casewatch/platform';
import type { Refusal } from '../page.ts';

type Table = {
  /** What the table lists, for screen readers. */
  readonly caption: string;
  readonly head: readonly string[];
  /** Cells of each row; the first cell names the row. */
  readonly rows: readonly (readonly (Markup | string)[])[];
  /** Shown instead of an empty table. Without it a table never is empty, or nothing is shown. */
  readonly empty?: Markup | undefined;
  /** Many short rows, each on one line where there is room. */
  readonly isDense?: boolean;
};

export function table({ caption, head, rows, empty = html``, isDense = false }: Table): Markup {
  if (rows.length === 0) return empty;
  return html`<div class="table${isDense && ' dense'}" role="group" aria-label="${caption}" tabindex="0"><table>
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

type Empty = { readonly title: string; readonly text: string; readonly action?: Markup };

export function emptyState({ title, text, action }: Empty): Markup {
  return html`<div class="empty"><h2>${title}</h2><p>${text}</p>${action}</div>`;
}

/** In place of a list whose filters were refused. `href`: the whole list. What is wrong with a filter stands beside it. */
export function refusedList(refusal: Refusal, href: string): Markup {
  return emptyState({
    title: 'No list for these filters',
    text: refusedText(refusal),
    action: html`<a class="button" href="${href}">Clear the filters</a>`,
  });
}

/** The place in a list has no field on the page, and the search box of every page has no room for a reason. */
function refusedText({ message, fields: { cursor, q, ...others } }: Refusal): string {
  if (cursor !== undefined) return 'This part of the list cannot be shown.';
  if (q === undefined) return message;
  const ofSearch = q.replace(/^This /, 'The search ');
  return Object.keys(others).length === 0 ? ofSearch : `${ofSearch} ${message}`;
}

type Pager = {
  /** Path and query of this page; its filters stay. */
  readonly url: string;
  readonly next: string | null;
  readonly cursorName?: string;
};

/** Lists page forwards with cursors; the browser goes back. */
export function pager({ url, next, cursorName = 'cursor' }: Pager): Markup | null {
  const isFirst = !new URL(url, 'http://page').searchParams.has(cursorName);
  if (isFirst && next === null) return null;
  return html`<nav class="pager" aria-label="Pages">
${!isFirst && html`<a class="button" href="${withQuery(url, { [cursorName]: null })}">First page</a>`}
${next !== null && nextLink(withQuery(url, { [cursorName]: next }), 'Next page')}
</nav>`;
}

/** All rows of a list as a file, with the filters of its operation. Its order is the file's own. */
export function exportLink(path: string, filters: Readonly<Record<string, unknown>>): Markup {
  const { sort: _, cursor: __, ...kept } = filters;
  const sent = Object.entries(kept).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const query = new URLSearchParams(sent).toString();
  return html`<a class="button" href="${query === '' ? path : `${path}?${query}`}" download>Export</a>`;
}

export function nextLink(href: string, text: string): Markup {
  return html`<a class="button" rel="next" href="${href}">${text}</a>`;
}

/** The same page with other values in its query; null removes a value. */
export function withQuery(url: string, change: Readonly<Record<string, string | null>>): string {
  const { pathname, searchParams } = new URL(url, 'http://page');
  for (const [name, value] of Object.entries(change)) {
    if (value === null) searchParams.delete(name);
    else searchParams.set(name, value);
  }
  const query = searchParams.toString();
  return query === '' ? pathname : `${pathname}?${query}`;
}
