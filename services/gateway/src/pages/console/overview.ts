import type { Scope, StatisticsPeriod, Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { bars, countText, pageHead, pill, section, stats, wholeNumber } from '../parts/blocks.ts';
import { emptyState, table } from '../parts/table.ts';
import { dateOf, startOfDay } from '../parts/time.ts';
import { caseCell, userLink } from './cases.ts';
import { type ConsoleCall, can, consolePage, ifAvailable } from './console-page.ts';
import { categoryTone, monitoringPill } from './states.ts';
import { unreachedNotice } from './unreached.ts';
import { unreachable } from './users-without-messages.ts';
import { endpointPill } from './webhooks.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Days in which a change is recent. */
const recentDays = 14;
const shownChanges = 8;
/** Cases of each kind that need attention, and users without messages. */
const shownCases = 3;
const shownUsers = 5;
/** A key that ends within this time is shown, ms. */
const soonMs = 14 * dayMs;

/** What happened, and what needs a person. */
export const overview = consolePage({
  method: 'GET',
  path: '/console/overview',
  scope: 'profile:read',
  async handle(call) {
    const { client, status, statistics, recent, subject } = await askAll(call);
    // Afterwards: a page that asks for news, and finds none, ends before.
    const unreached = await unreachedNotice(call);
    const lists = listsOf(call);
    const main = html`${pageHead({ title: client.name, sub: 'Overview' })}
${unreached}
${stats([
  { label: 'Users', value: countText(client.user_count, client.user_count_is_exact) },
  { label: 'Cases', value: countText(client.case_count, client.case_count_is_exact) },
  ...freshnessOf(status, client.case_count),
])}
${attentionList(call, subject, lists.urgent)}
${section('Activity', statistics ? statisticsTable(statistics) : emptyState({ title: 'No figures at the moment', text: 'The figures are unavailable. This page retries by itself.' }))}
${recent && recentChanges(call, recent, lists.recent)}`;
    return { title: 'Overview', main, isLive: true };
  },
});

/** The pages with all cases of which the overview shows the first. */
function listsOf(call: ConsoleCall) {
  const day = firstDay(call);
  return {
    urgent: `/console/cases?urgent=true&active=true&since=${day}&sort=-changed_at`,
    recent: `/console/cases?changed_since=${day}&sort=-changed_at`,
  };
}

/** The first of the days that are recent, in the zone of the person. */
function firstDay({ times }: ConsoleCall): string {
  const then = new Date(times.now.getTime() - recentDays * dayMs);
  // sv: the only language whose short form is `2026-11-23`.
  return then.toLocaleDateString('sv', { timeZone: times.zone });
}

/** Each part that the session can see. Judged by queries, never by one page of a list. */
async function askAll(call: ConsoleCall) {
  const { ask } = call;
  const sees = (scope: Scope) => can(call, scope);
  const since = startOfDay(firstDay(call), call.times.zone).toISOString();
  const listCases = (limit: number, query: Record<string, string>) =>
    sees('cases:read') ? ask('list_partner_cases', { query: { ...query, limit: String(limit) } }) : null;
  const latestFirst = { sort: '-changed_at' };
  const urgent = { urgent: 'true', active: 'true', updated_since: since };
  const [
    recent,
    urgentCases,
    overdue,
    rejected,
    notFound,
    suppressed,
    webhooks,
    keys,
    { client },
    status,
    statistics,
  ] = await Promise.all([
    listCases(shownChanges, { ...latestFirst, changed_since: since }),
    listCases(shownCases, { ...latestFirst, ...urgent }),
    listCases(shownCases, { monitoring: 'overdue' }),
    listCases(shownCases, { monitoring: 'rejected' }),
    listCases(shownCases, { monitoring: 'not_found' }),
    sees('users:read') ? ifAvailable(ask('list_suppressions')) : null,
    sees('webhooks') ? ifAvailable(ask('list_webhooks', { query: { limit: '100' } })) : null,
    sees('keys') ? ask('list_keys', { query: { limit: '100' } }) : null,
    ask('get_profile'),
    ask('get_status'),
    ifAvailable(ask('get_statistics')),
  ]);
  const subject = {
    urgent: urgentCases,
    overdue,
    rejected,
    notFound,
    suppressions: suppressed?.suppressions ?? [],
    webhooks: webhooks?.webhooks ?? [],
    keys: keys?.keys ?? [],
  };
  return { client, status, statistics, recent, subject };
}

/** How old the last check of a case is, for half of all cases that Casewatch monitors; a firm without cases needs no such figure. */
function freshnessOf({ freshness, upstream, checking }: Success<'get_status'>, cases: number) {
  if (freshness === null || cases === 0) return [];
  const answers = upstream === 'open' && checking;
  const note = answers
    ? 'Half of the cases at Casewatch were checked more recently. The service of USCIS answers.'
    : 'The service of USCIS does not answer at the moment. We go on trying.';
  return [{ label: 'Time since the last check', value: duration(freshness.p50_seconds), note }];
}

function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return seconds < 48 * 3_600 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

/** `state`: what is wrong. */
type Item = { readonly what: Markup; readonly state: Markup };

type Listed = Success<'list_partner_cases'>;
/** The first cases of a list, and how many it has. Null: the session may not see cases. */
type Counted = Pick<Listed, 'cases' | 'total' | 'total_is_exact' | 'has_more'> | null;
type ListedCase = Listed['cases'][number];

/** Cases whose status asks for an answer or ends them, and cases that cannot be checked as planned. */
type AttentionCases = Readonly<Record<'urgent' | 'overdue' | 'rejected' | 'notFound', Counted>>;

type Subject = AttentionCases & {
  readonly suppressions: Success<'list_suppressions'>['suppressions'];
  readonly webhooks: Success<'list_webhooks'>['webhooks'];
  readonly keys: Success<'list_keys'>['keys'];
};

/** What a person of the partner can act on. */
function attentionList(call: ConsoleCall, subject: Subject, urgentHref: string): Markup {
  const items = [
    ...endpointItems(call, subject),
    ...keyItems(call, subject),
    ...caseItems(subject, urgentHref),
    ...userItems(call, subject),
  ];
  const list =
    items.length > 0
      ? html`<ul class="list">${items.map(({ what, state }) => html`<li><span>${what}</span>${state}</li>\n`)}</ul>`
      : html`<p class="quiet">Nothing needs your attention.</p>`;
  return section('Needs attention', html`<div class="card">${list}</div>`);
}

function endpointItems({ times }: ConsoleCall, { webhooks }: Subject): Item[] {
  return webhooks
    .filter((endpoint) => endpoint.failing_since !== null || endpoint.disabled_at !== null)
    .map((endpoint) => ({
      what: html`<a href="/console/webhooks/${endpoint.id}">${endpoint.description || endpoint.url}</a> <span class="quiet">has failed since ${times.exact(endpoint.failing_since ?? endpoint.disabled_at)}</span>`,
      state: endpointPill(endpoint),
    }));
}

function keyItems({ times }: ConsoleCall, { keys }: Subject): Item[] {
  const now = times.now.getTime();
  return keys
    .filter(({ revoked_at, expires_at }) => {
      const end = expires_at === null ? null : dateOf(expires_at).getTime();
      return revoked_at === null && end !== null && end > now && end - now < soonMs;
    })
    .map((key) => ({
      what: html`<a href="/console/keys">API key ${key.name}</a> <span class="quiet">ends ${times.ago(key.expires_at)}</span>`,
      state: pill('warn', 'Ends soon'),
    }));
}

function userItems({ times }: ConsoleCall, { suppressions }: Subject): Item[] {
  const more = suppressions.length - shownUsers;
  const items = suppressions.slice(0, shownUsers).map(({ user, channel, reason, since }) => ({
    what: html`<a href="/console/users/${user.id}">${user.name}</a> <span class="quiet">gets no ${channel === 'email' ? 'e-mails' : 'WhatsApp messages'} since ${times.exact(since)}</span>`,
    state: pill('warn', unreachable[reason]),
  }));
  if (more <= 0) return items;
  return [
    ...items,
    {
      what: html`<a href="/console/users/without-messages">${more} more ${more === 1 ? 'user' : 'users'} without messages</a>`,
      state: html``,
    },
  ];
}

/** The first cases of each kind, and a link to the others with their number. `urgentHref`: the list of the first kind. */
function caseItems({ urgent, overdue, rejected, notFound }: AttentionCases, urgentHref: string): Item[] {
  const inState = (listed: Counted, state: 'overdue' | 'rejected' | 'not_found') =>
    itemsOf(listed, { href: `/console/cases?monitoring=${state}`, pillOf: () => monitoringPill(state) });
  return [
    ...itemsOf(urgent, { href: urgentHref, pillOf: urgentPill }),
    ...inState(rejected, 'rejected'),
    ...inState(overdue, 'overdue'),
    ...inState(notFound, 'not_found'),
  ];
}

function urgentPill(row: ListedCase | null): Markup {
  const update = row?.latest_update;
  if (!update) return pill('warn', 'Urgent');
  return pill(update.category === 'denied' ? 'bad' : 'warn', update.status_code);
}

type Kind = { readonly href: string; pillOf(row: ListedCase | null): Markup };

function itemsOf(listed: Counted, { href, pillOf }: Kind): Item[] {
  if (!listed) return [];
  const items = listed.cases.slice(0, shownCases).map((row) => ({
    what: html`${userLink(row)} ${caseCell(row)}`,
    state: pillOf(row),
  }));
  const more = moreText(listed, items.length);
  return more === null
    ? items
    : [...items, { what: html`<a href="${href}">${more}</a>`, state: pillOf(null) }];
}

/** How many cases of a list are not shown, in words; null: none. */
function moreText({ total, total_is_exact, has_more, cases }: NonNullable<Counted>, shown: number) {
  if (total === null) return has_more || cases.length > shown ? 'More cases' : null;
  const rest = total - shown;
  if (rest <= 0) return null;
  return `${countText(rest, total_is_exact)} more`;
}

type CountName = Exclude<keyof StatisticsPeriod, 'start'>;
type Row = { readonly name: string; readonly field: CountName; readonly failed?: CountName };

const rows: readonly Row[] = [
  { name: 'New users', field: 'users_created' },
  { name: 'New cases', field: 'cases_created' },
  { name: 'Changes', field: 'status_changes' },
  { name: 'Messages', field: 'notifications_sent', failed: 'notifications_failed' },
  { name: 'Deliveries', field: 'deliveries', failed: 'deliveries_failed' },
];

/** What happened in 24 hours and in 30 days, as numbers and small charts. */
function statisticsTable({ hours, days }: Success<'get_statistics'>): Markup {
  return table({
    caption: 'Activity',
    head: ['Kind', '24 hours', '30 days'],
    rows: rows.map((row) => [
      row.name,
      cell(row, hours, { span: '24 hours', unit: 'hour' }),
      cell(row, days, { span: '30 days', unit: 'day' }),
    ]),
  });
}

type Words = { readonly span: string; readonly unit: string };

function cell({ name, field, failed }: Row, periods: readonly StatisticsPeriod[], words: Words): Markup {
  const counts = periods.map((period) => period[field]);
  const total = sum(counts);
  const failures = failed ? sum(periods.map((period) => period[failed])) : 0;
  const label = `${name} in ${words.span}: ${total}, at most ${Math.max(...counts, 0)} in one ${words.unit}.`;
  return html`<div class="count"><b>${wholeNumber(total)}</b>${bars(counts, label)}${failures > 0 && html`<span class="under fault">${wholeNumber(failures)} failed</span>`}</div>`;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** The cases that changed last, as the query sorted them. `href`: the whole list. */
function recentChanges({ times }: ConsoleCall, listed: NonNullable<Counted>, href: string): Markup {
  const list = table({
    caption: 'Recent changes',
    head: ['User', 'Case', 'Status', 'When'],
    rows: listed.cases.map(({ latest_update: update, ...row }) => [
      userLink(row),
      caseCell(row),
      update ? pill(categoryTone(update.category), update.status_code) : '',
      times.ago(update?.timestamp, '–'),
    ]),
    empty: emptyState({
      title: 'No changes yet',
      text: 'When USCIS shows a new status for a case, the change appears here.',
    }),
  });
  return section(
    'Recent changes',
    list,
    html`<a href="${href}">${moreText(listed, listed.cases.length) ?? 'Cases that changed'}</a>`,
  );
}
