import { html, type Markup } from '@casewatch/platform';

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
${next !== null && html`<a class="button" rel="next" href="${withQuery(url, { [cursorName]: next })}">Next page</a>`}
</nav>`;
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
