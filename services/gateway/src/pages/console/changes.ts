import type { Reviewer, Success } from '@casewatch/contracts';
import { ApiError, html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal, View } from '../page.ts';
import { notice, pageHead, pill, section } from '../parts/blocks.ts';
import { field, filterButton, hidden, optionalDay, optionalText, select, several } from '../parts/form.ts';
import { emptyState, exportLink, pager, refusedList, table, withQuery } from '../parts/table.ts';
import { startOfDay } from '../parts/time.ts';
import { dueNote } from './answer.ts';
import { caseCell, categoryChoices, nameInList, userLink } from './cases.ts';
import { type ConsoleCall, can, consolePage } from './console-page.ts';
import { firstPage } from './frame.ts';
import {
  type Assignees,
  assignControl,
  changeCases,
  changedCounts,
  changedNotice,
  counted,
  keyHints,
  listUrl,
  memberChoices,
  noAssignees,
  optionalAssignee,
  readAssignees,
} from './selection.ts';
import { categoryTone, monitoringPill, reviewerName } from './states.ts';
import { toldNote } from './told-staff.ts';
import { unreachedNotice } from './unreached.ts';

// The morning's work: what happened to the cases of the firm, and what nobody there has looked at yet stands on top.

const filters = z.object({
  /** `true`, `false`, or `all`. Without it: what is not done. */
  reviewed: optionalText,
  urgent: optionalText,
  category: optionalText,
  assignee_id: optionalText,
  since: optionalDay,
});
type Filters = z.output<typeof filters>;

/** The id of a change and that of its case, as a box or a button of a row sends them. Ids of states of monitoring have 16 digits. */
const changeKey = /^(\d{1,16})\.(\d{1,16})$/;
const keyList = z
  .string()
  .regex(/^[\d.,]{0,4000}$/)
  .optional()
  .catch(undefined);

const pageQuery = filters.extend({
  cursor: optionalText,
  /** What was just marked as done, for the button that undoes it. */
  marked: keyList,
  ...changedCounts,
});

const first = { urgent: 50, others: 25 } as const;
const listed = 50;

export const changeList = consolePage({
  method: 'GET',
  path: '/console',
  // The first page after the entry: a session without this scope goes to a page that it can see.
  scope: null,
  query: pageQuery,
  async handle(call) {
    if (!can(call, 'cases:read')) return { to: firstPage(call.session.principal.scopes) };
    return await changesView(call, call.query);
  },
  refused: async (call, refusal) => ({
    title: 'Changes',
    main: html`${pageHead({ title: 'Changes', aside: filterFields(call, noAssignees, filters.parse({}), refusal) })}
${refusedList(refusal, '/console')}`,
  }),
});

const act = z.object({
  ids: several,
  /** The button of one row, whatever is selected. */
  done: optionalText,
  reopen: optionalText,
  to: z.enum(['done', 'open', 'assign']).optional(),
  assignee_id: optionalAssignee,
  back: optionalText,
});

/** Marks changes as done or not done, or gives their cases to a member: those of one row, or those that are selected. */
const actOnChanges = consolePage({
  method: 'POST',
  path: '/console/changes',
  scope: 'cases:write',
  form: act,
  async handle(call) {
    const { ask, form } = call;
    const one = form.done ?? form.reopen;
    const keys = (one === undefined ? form.ids : [one]).map(keyOf);
    if (keys.length === 0)
      throw new ApiError('validation_failed', { message: 'Select at least one change.' });
    const back = listUrl('/console', form.back);
    if (one === undefined && form.to === 'assign') {
      const { assignee_id } = form;
      if (assignee_id === undefined)
        throw new ApiError('validation_failed', { message: 'Choose who gets the cases.' });
      const case_refs = [...new Set(keys.map(({ caseId }) => String(caseId)))];
      const body = { case_refs, action: 'assign', assignee_id } as const;
      return { to: withQuery(back, await changeCases(call, { body })) };
    }
    const reviewed = form.reopen === undefined && form.to !== 'open';
    const { changes } = await ask('review_changes', { body: { ids: keys.map(({ id }) => id), reviewed } });
    // What a colleague has reviewed before stays the colleague's: "Undo" is for the own reviews alone.
    const own = new Set(changes.filter(({ reviewed_by }) => isSelf(call, reviewed_by)).map(({ id }) => id));
    const marked = keys.filter(({ id }) => own.has(id)).map(({ id, caseId }) => `${id}.${caseId}`);
    return { to: withQuery(back, { marked: reviewed && marked.length > 0 ? marked.join(',') : null }) };
  },
  /** The list from which the form was sent, with its filters. */
  async refused(call, refusal) {
    const { back } = refusal.posted;
    const url = listUrl('/console', typeof back === 'string' ? back : undefined);
    const { searchParams } = new URL(url, 'http://page');
    const { data: query = {} } = pageQuery.safeParse(Object.fromEntries(searchParams));
    return { ...(await changesView({ ...call, url }, query, refusal)), isLive: false };
  },
});

/** Of a page that was refused and is loaded again. */
const againAtChanges = consolePage({
  method: 'GET',
  path: '/console/changes',
  scope: 'cases:read',
  handle: async () => ({ to: '/console' }),
});

export const changePages = [changeList, againAtChanges, actOnChanges];

function isSelf({ session: { principal } }: ConsoleCall, by: Reviewer | null): boolean {
  const { staff_id, key_id } = principal;
  const self = staff_id === undefined ? { kind: 'key', id: Number(key_id) } : { kind: 'staff', id: staff_id };
  return by?.kind === self.kind && by.id === self.id;
}

function keyOf(text: string): { id: number; caseId: number } {
  const [, id, caseId] = changeKey.exec(text) ?? [];
  if (id === undefined)
    throw new ApiError('validation_failed', { message: 'This is not a change of the list.' });
  return { id: Number(id), caseId: Number(caseId) };
}

type Shown = Partial<z.output<typeof pageQuery>>;

async function changesView(call: ConsoleCall, query: Shown, refusal: Refusal | null = null): Promise<View> {
  const { cursor, marked, changed, refused, ...chosen } = query;
  const isWhole = Object.values(chosen).every((value) => value === undefined) && cursor === undefined;
  const asked = (more: Record<string, string | undefined>, limit: number) =>
    call.ask('list_changes', { query: { ...operationFilters(call, chosen), ...more, limit: String(limit) } });
  const [urgent, others, assignees] = await Promise.all([
    isWhole ? asked({ urgent: 'true' }, first.urgent) : null,
    isWhole ? asked({ urgent: 'false' }, first.others) : asked({ cursor }, listed),
    readAssignees(call),
  ]);
  // Afterwards: a page that asks for news, and finds none, ends before.
  const unreached = await unreachedNotice(call);
  const rows = [...(urgent?.changes ?? []), ...others.changes];
  const lists = isWhole
    ? html`${urgent && changeSection(call, { title: 'Urgent', list: urgent, href: '/console?urgent=true' })}
${changeSection(call, { title: urgent?.changes.length ? 'Other changes' : 'Changes', list: others, href: '/console?urgent=false' })}
${rows.length === 0 && allDone}`
    : html`${changeTable(call, 'Changes', others.changes, noMatch)}
${pager({ url: call.url, next: others.next_cursor })}`;
  const main = html`${pageHead({ title: 'Changes', sub: 'What happened to your cases. What nobody has looked at yet stands on top.', aside: html`${filterFields(call, assignees, chosen)}${can(call, 'cases:write') && exportLink('/console/changes.csv', operationFilters(call, chosen))}` })}
${refusal && notice('bad', refusal.message)}
${unreached}
${marked && undo(call, marked)}
${changedNotice(changed, refused)}
${rows.length > 0 && can(call, 'cases:write') && selection(call, assignees)}
${lists}`;
  return { title: 'Changes', main, isLive: true };
}

function operationFilters(call: ConsoleCall, { reviewed = 'false', since, ...same }: Partial<Filters>) {
  return {
    ...same,
    reviewed: reviewed === 'all' ? undefined : reviewed,
    since: since && startOfDay(since, call.times.zone).toISOString(),
  };
}

function undo(call: ConsoleCall, marked: string): Markup {
  const keys = marked.split(',').filter((key) => changeKey.test(key));
  const content = html`${keys.map((key) => hidden('ids', key))}${hidden('to', 'open')}${back(call)}`;
  return html`<div class="notice good row" role="status"><p>${counted(keys.length, 'change')} marked as done.</p>
<form method="post" action="/console/changes">${content}<button type="submit" class="button link">Undo</button></form></div>`;
}

const back = ({ url }: ConsoleCall) => hidden('back', listUrl('/console', url));

/** The form of all rows: their boxes and buttons name it. */
function selection(call: ConsoleCall, assignees: Assignees): Markup {
  return html`<form method="post" action="/console/changes" id="act" class="act">${back(call)}
<button type="submit" class="button" name="to" value="done">Mark selected as done</button>
${assignControl(call, assignees)}
${keyHints([
  ['e', 'done'],
  ['x', 'select'],
  ['a', 'assign'],
])}</form>`;
}

type Listed = Success<'list_changes'>;
type Change = Listed['changes'][number];
type Section = { readonly title: string; readonly list: Listed; readonly href: string };

function changeSection(call: ConsoleCall, { title, list, href }: Section): Markup | null {
  if (list.changes.length === 0) return null;
  const more = list.has_more ? html`<a href="${href}">All of these</a>` : null;
  return section(title, changeTable(call, title, list.changes, html``), more);
}

const allDone = emptyState({
  title: 'All done',
  text: 'Nobody is waiting for you. A new status, and a case that cannot be checked, appear here within seconds.',
  action: html`<a class="button" href="/console?reviewed=true">What was done</a>`,
});

const noMatch = emptyState({
  title: 'No change matches',
  text: 'Change or clear the filters.',
  action: html`<a class="button" href="/console">Changes that are not done</a>`,
});

function changeTable(call: ConsoleCall, caption: string, changes: readonly Change[], empty: Markup): Markup {
  return table({
    caption,
    isDense: true,
    head: ['User', 'Case', 'Status', 'Form', 'When', 'Assignee', 'Done'],
    rows: changes.map((change) => [
      userCell(call, change),
      caseCell(change.case),
      statusCell(call, change),
      change.status_update?.form_type ?? '–',
      html`${change.already_open && 'already open, '}${call.times.ago(change.at)}`,
      change.case.assignee?.name ?? html`<span class="quiet">Nobody</span>`,
      doneCell(call, change),
    ]),
    empty,
  });
}

function userCell(call: ConsoleCall, { id, case: row, user }: Change): Markup {
  const named = { ...row, user };
  const box =
    can(call, 'cases:write') &&
    html`<input type="checkbox" class="pick" form="act" name="ids" value="${id}.${row.id}" aria-label="Select ${nameInList(named)}" data-key="x"> `;
  return html`${box}${userLink(named)}`;
}

function statusCell({ times }: ConsoleCall, change: Change): Markup {
  const { status_update: update, monitoring, urgent, respond_by } = change;
  if (!update) return monitoring ? monitoringPill(monitoring.state) : html`–`;
  const tone = categoryTone(update.category);
  return html`<span class="title">${pill(urgent && tone === 'idle' ? 'warn' : tone, update.status_code)}${dueNote(times, respond_by)} <span class="rest">${toldNote(times, change.told)}</span></span>`;
}

function doneCell(call: ConsoleCall, change: Change): Markup {
  const { id, case: row, reviewed_at, reviewed_by } = change;
  const key = `${id}.${row.id}`;
  if (reviewed_at === null)
    return can(call, 'cases:write')
      ? html`<button type="submit" class="button small" form="act" name="done" value="${key}" data-key="e">Done</button>`
      : html``;
  return html`<span class="quiet">Done ${call.times.ago(reviewed_at)}${reviewed_by && ` by ${reviewerName(reviewed_by)}`}</span>${can(call, 'cases:write') && html` <button type="submit" class="button link small" form="act" name="reopen" value="${key}" data-key="e">Not done</button>`}`;
}

const reviewedChoices = [
  { value: '', text: 'Not done' },
  { value: 'true', text: 'Done' },
  { value: 'all', text: 'All' },
];

const urgentChoices = [
  { value: '', text: 'Urgent and others' },
  { value: 'true', text: 'Urgent' },
  { value: 'false', text: 'Not urgent' },
];

function filterFields(
  call: ConsoleCall,
  assignees: Assignees,
  chosen: Partial<Filters>,
  refusal: Refusal | null = null,
): Markup {
  const { reviewed, urgent, category, assignee_id, since } = chosen;
  return filterButton({
    action: '/console',
    label: 'Changes',
    chosen,
    refusal,
    fields: [
      select({ name: 'reviewed', label: 'Done', value: reviewed, choices: reviewedChoices, refusal }),
      select({ name: 'urgent', label: 'Urgency', value: urgent, choices: urgentChoices, refusal }),
      select({ name: 'category', label: 'Category', value: category, choices: categoryChoices(), refusal }),
      select({
        name: 'assignee_id',
        label: 'Assignee',
        value: assignee_id,
        choices: [{ value: '', text: 'Everybody' }, ...memberChoices(call, assignees)],
        refusal,
      }),
      field({ name: 'since', label: 'Since', type: 'date', value: since, refusal }),
    ],
  });
}
