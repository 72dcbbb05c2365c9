import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import type { View } from '../../page.ts';
import { buttonForm } from '../../parts/form.ts';
import { pageHead, section, stats } from '../../parts/page-head.ts';
import { pager } from '../../parts/pager.ts';
import { emptyState } from '../../parts/table.ts';
import { timeline } from '../../parts/timeline.ts';
import type { ConsoleCall } from '../console-page.ts';
import { planned } from '../planned.ts';
import { monitoringPill } from '../states.ts';
import { acknowledgementFacts } from './acknowledgement-facts.ts';
import { deliveriesByUpdate, type UpdateDeliveries } from './update-deliveries.ts';
import { updateMoment } from './update-moment.ts';

type Options = { readonly updates_cursor?: string | undefined; readonly notice: Markup | undefined };

/** @param params.case_ref of the case */
export async function caseView(
  call: ConsoleCall,
  params: { readonly case_ref: string },
  { updates_cursor, notice }: Options,
): Promise<View> {
  const { ask, session, url } = call;
  const { scopes } = session.principal;
  const [answer, { acknowledgements }, deliveries] = await Promise.all([
    ask('get_partner_case', { params, query: { updates_cursor } }),
    ask('list_acknowledgements', { params }),
    deliveriesByUpdate(call, params),
  ]);
  const main = html`${head(answer, scopes)}
${notice}
${summary(call, answer)}
${section('Timeline', moments(call, answer, deliveries))}
${pager({ url, next: answer.updates_cursor, cursorName: 'updates_cursor' })}
${section('Authorized access', acknowledgementFacts(call, acknowledgements))}`;
  return { title: answer.case.user_case_id, main, isLive: true };
}

type Shown = Success<'get_partner_case'>;

function head({ case: row, monitoring }: Shown, scopes: readonly string[]): Markup {
  const { user } = row;
  const path = `/console/cases/${row.user_case_id}`;
  const toggle = row.active ? 'Pause' : 'Resume';
  const actions = html`${row.active && scopes.includes('check') && buttonForm(`${path}/check`, 'Check now')}
${scopes.includes('cases:write') && buttonForm(`${path}/${toggle.toLowerCase()}`, toggle)}`;
  return pageHead({
    back: { href: '/console/cases', text: 'Cases' },
    title: row.description || row.receipt_number,
    sub: html`<span class="mono">${row.receipt_number}</span> · ${row.user_case_id} · <a href="/console/users/${user.id}">${user.name}</a>`,
    aside: html`${monitoringPill(monitoring.state)}${actions}`,
  });
}

function summary({ times }: ConsoleCall, { case: row, monitoring, update_count }: Shown): Markup {
  return stats([
    { label: 'Last checked', value: times.ago(row.last_checked) },
    { label: 'Next check', value: planned(times, monitoring.next_check_at, row.active ? 'soon' : 'paused') },
    { label: 'Monitored since', value: times.day(row.created_at) },
    { label: 'Status updates', value: update_count },
  ]);
}

function moments(
  call: ConsoleCall,
  { status_updates, case: row }: Shown,
  deliveries: UpdateDeliveries,
): Markup {
  if (status_updates.length === 0) {
    return emptyState({
      title: 'No status yet',
      text: 'The first check with USCIS is planned. This page shows the status as soon as USCIS has answered.',
    });
  }
  const newest = row.latest_update?.id;
  return timeline(
    status_updates.map((update, i) =>
      updateMoment(call, update, {
        older: status_updates.slice(i + 1),
        isCurrent: update.id === newest,
        language: row.user.preferred_language,
        deliveries: deliveries.get(update.id) ?? [],
      }),
    ),
  );
}
