import { caseRef, type Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import { buttonForm } from '../../parts/form.ts';
import { optionalText } from '../../parts/form-values.ts';
import { pageHead, section, stats } from '../../parts/page-head.ts';
import { pager } from '../../parts/pager.ts';
import { emptyState } from '../../parts/table.ts';
import { timeline } from '../../parts/timeline.ts';
import { type ConsoleCall, consolePage } from '../console-page.ts';
import { monitoringPill } from '../states.ts';
import { updateMoment } from './status-update.ts';

const casePath = z.object({ case_ref: caseRef });

/** Everything about one case: each status, what it means, and who was told. */
export const casePage = consolePage({
  method: 'GET',
  path: '/console/cases/:case_ref',
  scope: 'cases:read',
  params: casePath,
  query: z.object({ updates_cursor: optionalText }),
  async handle(call) {
    const { params, query, session } = call;
    const answer = await call.ask('get_partner_case', { params, query });
    const canWrite = session.principal.scopes.includes('cases:write');
    const main = html`${head(answer, canWrite)}
${summary(call, answer)}
${section('Timeline', moments(call, answer))}
${pager({ url: call.url, next: answer.updates_cursor, cursorName: 'updates_cursor' })}`;
    return { title: answer.case.user_case_id, main, isLive: true };
  },
});

type Shown = Success<'get_partner_case'>;

function head({ case: row, monitoring }: Shown, canWrite: boolean): Markup {
  const { user } = row;
  const action = `/console/cases/${row.user_case_id}/${row.active ? 'pause' : 'resume'}`;
  return pageHead({
    back: { href: '/console/cases', text: 'Cases' },
    title: row.description || row.receipt_number,
    sub: html`<span class="mono">${row.receipt_number}</span> · ${row.user_case_id} · <a href="/console/users/${user.id}">${user.name}</a>`,
    aside: html`${monitoringPill(monitoring.state)}${canWrite && buttonForm(action, row.active ? 'Pause' : 'Resume')}`,
  });
}

function summary({ times }: ConsoleCall, { case: row, monitoring, update_count }: Shown): Markup {
  return stats([
    { label: 'Last checked', value: times.ago(row.last_checked) },
    { label: 'Next check', value: times.ago(monitoring.next_check_at, row.active ? 'soon' : 'paused') },
    { label: 'Monitored since', value: times.day(row.created_at) },
    { label: 'Status updates', value: update_count },
  ]);
}

function moments(call: ConsoleCall, { status_updates, case: row }: Shown): Markup {
  if (status_updates.length === 0) {
    return emptyState({
      title: 'No status yet',
      text: 'The first check with USCIS is planned. This page shows the status as soon as USCIS has answered.',
    });
  }
  const newest = row.latest_update?.id;
  return timeline(
    status_updates.map((update) =>
      updateMoment(call, update, {
        isCurrent: update.id === newest,
        language: row.user.preferred_language,
      }),
    ),
  );
}
