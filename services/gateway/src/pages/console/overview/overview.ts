import type { Scope, Success } from '@casewatch/contracts';
import { html } from '@casewatch/platform';
import { pageHead, section, stats } from '../../parts/page-head.ts';
import { emptyState } from '../../parts/table.ts';
import { startOfDay } from '../../parts/time.ts';
import { urgentCategories } from '../cases/case-filters.ts';
import { type ConsoleCall, consolePage } from '../console-page.ts';
import { firstPage } from '../frame.ts';
import { ifAvailable } from '../if-available.ts';
import { attentionList } from './attention.ts';
import { shownCases } from './attention-cases.ts';
import { recentChanges, recentDays, shownRows } from './recent-changes.ts';
import { statisticsTable } from './statistics-table.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** What happened, and what needs a person. */
export const overview = consolePage({
  method: 'GET',
  path: '/console',
  // The first page after the entry: a session without this scope goes to a page that it can see.
  scope: null,
  async handle(call) {
    const { scopes } = call.session.principal;
    if (!scopes.includes('profile:read')) return { to: firstPage(scopes) };
    const { client, status, statistics, recent, subject } = await askAll(call);
    const lists = listsOf(call);
    const main = html`${pageHead({ title: client.name, sub: 'Overview' })}
${stats([
  { label: 'Users', value: client.user_count },
  { label: 'Cases', value: client.case_count },
  freshnessOf(status),
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
    urgent: `/console/cases?category=${urgentCategories}&active=true&since=${day}&sort=-changed_at`,
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
  const { ask, session } = call;
  const can = (scope: Scope) => session.principal.scopes.includes(scope);
  const since = startOfDay(firstDay(call), call.times.zone).toISOString();
  const listCases = (limit: number, query: Record<string, string>) =>
    can('cases:read') ? ask('list_partner_cases', { query: { ...query, limit: String(limit) } }) : null;
  const latestFirst = { sort: '-changed_at' };
  const urgent = { category: urgentCategories, active: 'true', updated_since: since };
  const [
    { client },
    status,
    statistics,
    recent,
    urgentCases,
    overdue,
    rejected,
    notFound,
    suppressed,
    webhooks,
    keys,
  ] = await Promise.all([
    ask('get_profile'),
    ask('get_status'),
    ifAvailable(ask('get_statistics')),
    listCases(shownRows, { ...latestFirst, changed_since: since }),
    listCases(shownCases, { ...latestFirst, ...urgent }),
    listCases(shownCases, { monitoring: 'overdue' }),
    listCases(shownCases, { monitoring: 'rejected' }),
    listCases(shownCases, { monitoring: 'not_found' }),
    can('users:read') ? ifAvailable(ask('list_suppressions')) : null,
    can('webhooks') ? ifAvailable(ask('list_webhooks', { query: { limit: '100' } })) : null,
    can('keys') ? ask('list_keys', { query: { limit: '100' } }) : null,
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

/** How old the last check of a case is, for half of the cases. */
function freshnessOf({ freshness, upstream, checking }: Success<'get_status'>) {
  const label = 'Last check, median';
  if (freshness === null) return { label, value: '–', note: 'no cases are monitored' };
  const note = upstream === 'open' && checking ? 'USCIS answers' : 'USCIS does not answer at the moment';
  return { label, value: duration(freshness.p50_seconds), note };
}

function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return seconds < 48 * 3_600 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}
