import { html, type Markup } from '@casewatch/platform';
import type { Refusal } from '../page.ts';
import { emptyState } from '../parts/table.ts';

/** In place of a list whose filters were refused. What is wrong with a filter stands beside it. */
export function refusedList({ message, fields }: Refusal, all: { readonly href: string }): Markup {
  // The place in a list has no field on the page.
  const text = fields.cursor === undefined ? message : 'This part of the list cannot be shown.';
  return emptyState({
    title: 'No list for these filters',
    text,
    action: html`<a class="button" href="${all.href}">Clear the filters</a>`,
  });
}
