import type { Scope, Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { pageHead, section, stats } from '../parts/page-head.ts';
import { pill } from '../parts/pill.ts';
import { emptyState, table } from '../parts/table.ts';
import { dateOf } from '../parts/time.ts';
import { attentionList } from './attention.ts';
import { changesChart } from './changes-chart.ts';
import { type ConsoleCall, consolePage } from './console-page.ts';
import { firstPage } from './frame.ts';
import { categoryTone } from './states.ts';

const dayMs = 24 * 60 * 60 * 1000;
const chartDays = 14;
const recentRows = 8;

/** What happened, and what needs a person. */
export const overview = consolePage({
  method: 'GET',
  path: '/console',
  // The first page after the entry: a session without this scope goes to a page that it can see.
  scope: null,
  async handle(call) {
    const { scopes } = call.session.principal;
    if (!scopes.includes('profile:read')) return { to: firstPage(scopes) };
    const { ask, times } = call;
    const since = new Date(times.now.getTime() - chartDays * dayMs).toISOString();
    const has = (scope: Scope) => scopes.includes(scope);
    const [{ client }, status, recent, webhooks, keys] = await Promise.all([
      ask('get_profile'),
      ask('get_status'),
      has('cases:read') ? ask('list_partner_cases', { query: { updated_since: since, limit: '100' } }) : null,
      has('webhooks') ? ask('list_webhooks', { query: { limit: '100' } }) : null,
      has('keys') ? ask('list_keys', { query: { limit: '100' } }) : null,
    ]);
    const main = html`${pageHead({ title: client.name, sub: 'Overview' })}
${stats([
  { label: 'Users', value: client.user_count },
  { label: 'Cases', value: client.case_count },
  ...(recent ? [changesOfDay(call, recent)] : []),
  freshnessOf(status),
])}
${attentionList(call, { cases: recent?.cases ?? [], webhooks: webhooks?.webhooks ?? [], keys: keys?.keys ?? [], status })}
${recent && recentChanges(call, recent)}`;
    return { title: 'Overview', main, isLive: true };
  },
});

type Recent = Success<'list_partner_cases'>;

function changesOfDay({ times }: ConsoleCall, { cases, has_more }: Recent) {
  const since = times.now.getTime() - dayMs;
  const changed = cases.filter(({ latest_update }) => isChangeSince(latest_update, since)).length;
  return { label: 'Changed in 24 hours', value: `${changed}${has_more ? '+' : ''}`, note: 'cases' };
}

function isChangeSince(update: Recent['cases'][number]['latest_update'], since: number): boolean {
  return update !== null && update.kind !== 'baseline' && dateOf(update.timestamp).getTime() >= since;
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

function recentChanges({ times }: ConsoleCall, { cases, has_more }: Recent): Markup {
  const changes = cases
    .flatMap(({ latest_update, ...row }) => (latest_update ? [{ ...row, update: latest_update }] : []))
    .sort((a, b) => (a.update.timestamp < b.update.timestamp ? 1 : -1));
  const rows = changes
    .slice(0, recentRows)
    .map(({ update, ...row }) => [
      html`<a href="/console/cases/${row.user_case_id}">${row.description || row.user_case_id}</a><span class="under mono">${row.receipt_number}</span>`,
      pill(categoryTone(update.category), update.status_code),
      times.ago(update.timestamp),
    ]);
  const list = table({
    caption: 'Recent changes',
    head: ['Case', 'Status', 'When'],
    rows,
    empty: emptyState({
      title: 'No changes yet',
      text: 'When USCIS shows a new status for a case, the change appears here.',
    }),
  });
  const moments = changes
    .filter(({ update }) => update.kind !== 'baseline')
    .map(({ update }) => dateOf(update.timestamp));
  const chart = !has_more && moments.length > 0 && changesChart({ moments, now: times.now, days: chartDays });
  return html`${chart && section(`Changes in ${chartDays} days`, html`<div class="card">${chart}</div>`)}
${section('Recent changes', list, html`<a href="/console/cases">All cases</a>`)}`;
}
