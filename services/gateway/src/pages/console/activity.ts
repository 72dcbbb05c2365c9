import {
  type AuditEntry,
  type OperationName,
  operations,
  type StaffAct,
  type Success,
} from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../page.ts';
import { pageHead, pill } from '../parts/blocks.ts';
import { field, filterButton, isFiltered, optionalDay, optionalText, select } from '../parts/form.ts';
import { emptyState, pager, refusedList, table } from '../parts/table.ts';
import { dayAfter, startOfDay } from '../parts/time.ts';
import { type ConsoleCall, consolePage } from './console-page.ts';

const query = z.object({
  actor: optionalText,
  object: optionalText,
  day: optionalDay,
  cursor: optionalText,
});

type Query = z.output<typeof query>;

const head = (aside: Markup) =>
  pageHead({
    title: 'Activity',
    sub: 'Who did what, newest first: your staff, your API keys, your users, and operators of Casewatch. Kept for a year.',
    aside,
  });

/** The records of what everybody did; with `object` or `actor`, of one person, case or member. */
export const activity = consolePage({
  method: 'GET',
  path: '/console/activity',
  scope: 'audit',
  query,
  async handle(call) {
    const { actor, object, day, cursor } = call.query;
    const [{ records, next_cursor }, { staff }] = await Promise.all([
      call.ask('list_audit', { query: { actor, object, ...periodOf(day, call.times), cursor } }),
      call.ask('list_staff', { query: { limit: '100' } }),
    ]);
    const main = html`${head(filters(call.query, staff))}
${list(call, records)}
${pager({ url: call.url, next: next_cursor })}`;
    return { title: 'Activity', main };
  },
  refused: async (_call, refusal) => ({
    title: 'Activity',
    main: html`${head(filters({ ...query.parse({}) }, [], refusal))}
${refusedList(refusal, '/console/activity')}`,
  }),
});

/** A whole day in the zone in which the list shows its times. It may have 23 or 25 hours. */
function periodOf(day: string | undefined, { zone }: ConsoleCall['times']) {
  if (day === undefined) return {};
  const start = (of: string) => startOfDay(of, zone).toISOString();
  return { since: start(day), until: start(dayAfter(day)) };
}

function filters(
  { actor, object, day }: Query,
  staff: Success<'list_staff'>['staff'],
  refusal: Refusal | null = null,
): Markup {
  const choices = [
    { value: '', text: 'Everybody' },
    ...staff.map(({ id, name }) => ({ value: `staff:${id}`, text: name })),
    { value: 'operator', text: 'Operators of Casewatch' },
  ];
  // A link of another page may name an actor who is no member any more, or a key.
  const isListed = actor === undefined || choices.some(({ value }) => value === actor);
  const all = isListed ? choices : [...choices, { value: actor, text: actor.replace(':', ' ') }];
  return filterButton({
    action: '/console/activity',
    label: 'Activity',
    chosen: { actor, object, day },
    refusal,
    fields: [
      select({ name: 'actor', label: 'Who', value: actor, choices: all, refusal }),
      field({ name: 'object', label: 'About', value: object, placeholder: 'case:12', refusal }),
      field({ name: 'day', label: 'Day', type: 'date', value: day, refusal }),
    ],
  });
}

function list({ times, url }: ConsoleCall, records: readonly AuditEntry[]): Markup {
  const { searchParams } = new URL(url, 'http://page');
  const isEmptyByFilter = isFiltered(Object.fromEntries(searchParams));
  return table({
    caption: 'Activity',
    head: ['When', 'Who', 'What', 'About', 'From'],
    rows: records.map((record) => [
      times.exact(record.at),
      actorOf(record),
      html`${actOf(record)}${record.status === 403 && html` ${pill('warn', 'refused')}`}`,
      aboutOf(record),
      html`<span class="mono small">${record.network ?? '–'}</span>`,
    ]),
    empty: emptyState({
      title: isEmptyByFilter ? 'Nothing for these filters' : 'Nothing yet',
      text: 'What somebody does appears here within two seconds.',
    }),
  });
}

function actorOf({ actor: { kind, id, name } }: AuditEntry): Markup {
  if (kind === 'operator') return html`Operator of Casewatch`;
  const what = { key: 'API key', staff: 'Member', person: 'User' }[kind];
  const shown = name ?? `${what} ${id}`;
  const href = { key: null, staff: `/console/staff/${id}`, person: `/console/users/${id}` }[kind];
  return html`${href === null || name === null ? shown : html`<a href="${href}">${shown}</a>`}<span class="under">${what}</span>`;
}

/** Acts that are no operation of the interface. */
const otherActs: Readonly<Record<StaffAct | 'open_console', string>> = {
  sign_in: 'Signed in',
  sign_out: 'Signed out',
  accept_invitation: 'Accepted the invitation',
  set_up_second_factor: 'Set up a second factor',
  turn_off_second_factor: 'Turned off the second factor',
  use_recovery_code: 'Used a recovery code',
  end_reused_session: 'Session ended: an old token of it was used again, perhaps a stolen one',
  create_calendar_address: 'Made a calendar address',
  end_calendar_address: 'Ended the calendar address',
  turn_off_alerts: 'Turned off alerts with the link in an e-mail',
  open_console: 'Opened the console with a link',
};

function actOf({ operation, count }: AuditEntry): string {
  const summary = operation in operations ? operations[operation as OperationName].summary : null;
  const other = operation in otherActs ? otherActs[operation as keyof typeof otherActs] : null;
  const act = summary ?? other ?? operation.replace(/^page /, 'Page ');
  return count === null ? act : `${act} (${count})`;
}

const maxShown = 3;

function aboutOf({ objects }: AuditEntry): Markup {
  const linksOf = (some: typeof objects) =>
    some.map((object, i) => html`${i > 0 && ', '}${objectLink(object)}`);
  const others = objects.slice(maxShown);
  return html`${linksOf(objects.slice(0, maxShown))}${others.length > 0 && html`<details class="more"><summary>and ${others.length} more</summary>${linksOf(others)}</details>`}`;
}

const pathOf = {
  case: '/console/cases/',
  user: '/console/users/',
  staff: '/console/staff/',
  webhook: '/console/webhooks/',
} as const;

function objectLink({ kind, id }: AuditEntry['objects'][number]): Markup {
  const text = `${kind.replace('_', ' ')} ${id}`;
  const path = kind in pathOf ? pathOf[kind as keyof typeof pathOf] : null;
  return path === null ? html`${text}` : html`<a href="${path}${id}">${text}</a>`;
}
