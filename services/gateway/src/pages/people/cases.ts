import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import { notice } from '../parts/blocks.ts';
import { optionalText } from '../parts/form.ts';
import { emptyState, nextLink, withQuery } from '../parts/table.ts';
import { dayInWords } from './dates.ts';
import { type MessagesDone, messagesBlock, messagesNotice } from './messages.ts';
import { languageOf, type PersonCall, pathOf, personPage } from './person-page.ts';
import { hasAction, titleOf } from './status-words.ts';
import { casesTexts } from './texts/cases-texts.ts';

const rowsOnPage = '50';
const done = z.enum(['paused', 'resumed', 'removed']).optional().catch(undefined);

type Row = Success<'list_cases'>['cases'][number];

/** All cases of the person. */
export const caseList = personPage({
  method: 'GET',
  path: '/cases',
  query: z.object({ cursor: optionalText, done }),
  async handle(call) {
    const texts = casesTexts[languageOf(call)];
    const query = { cursor: call.query.cursor, limit: rowsOnPage };
    const { cases, next_cursor } = await call.ask('list_cases', { params: pathOf(call), query });
    const main = html`<h1>${texts.title}</h1>
${noticeOf(call, call.query.done)}<p class="quiet">${texts.hello(call.session.user.name)}</p>
${cases.length === 0 ? empty(call) : html`<ul class="cases">${cases.map((row) => caseItem(call, row))}</ul>`}
${next_cursor !== null && html`<p>${nextLink(withQuery('/cases', { cursor: next_cursor }), texts.more)}</p>`}
${cases.length > 0 && html`<p><a class="button" href="/cases/new">${texts.add}</a></p>`}
${messagesBlock(call, null)}`;
    return { title: texts.title, main, isLive: true };
  },
});

function noticeOf(call: PersonCall, name: MessagesDone | 'removed' | undefined): Markup | null {
  if (name === 'removed') return notice('good', casesTexts[languageOf(call)].removed);
  return messagesNotice(call, name);
}

function caseItem(call: PersonCall, row: Row): Markup {
  const language = languageOf(call);
  const texts = casesTexts[language];
  const { latest_update: update } = row;
  const seen = update && dayInWords(update.timestamp, language, call.times.zone);
  return html`<li><h2><a href="/cases/${row.user_case_id}">${row.description || row.receipt_number}</a></h2>
${row.description && html`<p class="quiet small">${texts.receipt} ${row.receipt_number}</p>`}
<p class="status">${update ? titleOf(update, language) : texts.noStatus}</p>
${seen && html`<p class="quiet">${texts.seen(seen)}</p>`}
${row.active && update && hasAction(update) && html`<p class="todo">${texts.toDo}</p>`}
${!row.active && html`<p class="quiet">${texts.paused}</p>`}</li>
`;
}

function empty(call: PersonCall): Markup {
  const texts = casesTexts[languageOf(call)];
  const action = html`<a class="button primary" href="/cases/new">${texts.add}</a>`;
  return emptyState({ title: texts.emptyTitle, text: texts.emptyText, action });
}
