import type { Scope, Success } from '@casewatch/contracts';
import { html } from '@casewatch/platform';
import { pageHead, section, stats } from '../../parts/page-head.ts';
import { emptyState } from '../../parts/table.ts';
import { type ConsoleCall, consolePage } from '../console-page.ts';
import { firstPage } from '../frame.ts';
import { ifAvailable } from '../if-available.ts';
import { attentionList } from './attention.ts';
import { recentChanges, recentDays } from './recent-changes.ts';
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
    const main = html`${pageHead({ title: client.name, sub: 'Overview' })}
${stats([
  { label: 'Users', value: client.user_count },
  { label: 'Cases', value: client.case_count },
  freshnessOf(status),
])}
${attentionList(call, subject)}
${section('Activity', statistics ? statisticsTable(statistics) : emptyState({ title: 'No numbers at the moment', text: 'The numbers cannot be read. This page tries again by itself.' }))}
${recent && recentChanges(call, recent)}`;
    return { title: 'Overview', main, isLive: true };
  },
});

/** Each part that the session can see. */
async function askAll({ ask, session, times }: ConsoleCall) {
  const can = (scope: Scope) => session.principal.scopes.includes(scope);
  const since = new Date(times.now.getTime() - recentDays * dayMs).toISOString();
  const inState = (monitoring: 'overdue' | 'rejected' | 'not_found') =>
    can('cases:read') ? ask('list_partner_cases', { query: { monitoring, limit: '5' } }) : null;
  const [{ client }, status, statistics, recent, suppressed, webhooks, keys, ...troubled] = await Promise.all(
    [
      ask('get_profile'),
      ask('get_status'),
      ifAvailable(ask('get_statistics')),
      can('cases:read') ? ask('list_partner_cases', { query: { updated_since: since, limit: '100' } }) : null,
      can('users:read') ? ifAvailable(ask('list_suppressions')) : null,
      can('webhooks') ? ifAvailable(ask('list_webhooks', { query: { limit: '100' } })) : null,
      can('keys') ? ask('list_keys', { query: { limit: '100' } }) : null,
      inState('overdue'),
      inState('rejected'),
      inState('not_found'),
    ],
  );
  const [overdue, rejected, notFound] = troubled.map((answer) => answer?.cases ?? []);
  const subject = {
    changed: recent?.cases ?? [],
    overdue: overdue ?? [],
    rejected: rejected ?? [],
    notFound: notFound ?? [],
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
