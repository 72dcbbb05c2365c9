import type { ReplyData } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { documentOf } from '../layout.ts';
import { facts, pageHead, section, stats } from '../parts/page-head.ts';
import { notice, pill, type Tone } from '../parts/pill.ts';
import { emptyState, table } from '../parts/table.ts';
import { createTimes } from '../parts/time.ts';
import { commands } from './commands.ts';
import { duration } from './duration.ts';

type Status = ReplyData<'monitor.status'>;

const upstream: Readonly<Record<Status['upstream'], [Tone, string]>> = {
  open: ['good', 'USCIS answers'],
  closed: ['idle', 'USCIS is closed now'],
  unreachable: ['bad', 'USCIS does not answer'],
};

/** Freshness, quota and schedule of the checks. */
export function operatorPage(status: Status, now: Date): string {
  const times = createTimes({ now, zone: 'UTC', language: 'en' });
  const body = html`<main id="content" tabindex="-1">
${pageHead({ title: 'Casewatch', sub: html`State of ${times.exact(status.as_of)}`, aside: pill(...upstream[status.upstream]) })}
${warnings(status)}
${stats([
  { label: 'Receipts that are checked', value: status.watched_receipts },
  { label: 'Age of a status, half of the receipts', value: duration(status.freshness?.p50_seconds) },
  { label: 'Age of a status, 95 %', value: duration(status.freshness?.p95_seconds) },
  { label: 'Overdue receipts', value: status.overdue_receipts ?? '–' },
])}
${section('Quota of today', quota(status))}
${section('Time between two checks', intervals(status))}
${section('Needed checks by schedule class', classes(status))}
${section('Commands', commands())}
</main>`;
  return documentOf({ language: 'en', title: 'Operator · Casewatch', body });
}

function warnings({ paused, sending, accepts_new_cases }: Status): Markup {
  return html`${paused && notice('warn', 'Sending is paused by an operator.')}
${!paused && !sending && notice('warn', 'No replica of the monitor sends checks now.')}
${!accepts_new_cases && notice('bad', 'New cases are refused: the planned interval is too long.')}`;
}

function quota({ used_today, daily_budget }: Status): Markup {
  const percent = daily_budget > 0 ? Math.round((100 * used_today) / daily_budget) : 0;
  return html`<p>${used_today} of ${daily_budget} checks (${percent} %)</p>
<progress max="${Math.max(1, daily_budget)}" value="${used_today}" aria-label="Used quota"></progress>`;
}

function intervals({ planned_interval: planned, real_interval: real }: Status): Markup {
  return facts([
    ['Planned, half of the receipts', duration(planned?.p50_seconds)],
    ['Planned, 95 %', duration(planned?.p95_seconds)],
    ['Real, half of the receipts', duration(real?.p50_seconds)],
    ['Real, 95 %', duration(real?.p95_seconds)],
  ]);
}

function classes({ capacity }: Status): Markup {
  return table({
    caption: 'Schedule classes',
    head: ['Class', 'Receipts', 'Checks a day'],
    rows: (capacity?.by_class ?? []).map(({ class: name, receipts, needed_per_day }) => [
      name,
      String(receipts),
      String(needed_per_day),
    ]),
    empty: emptyState({ title: 'No plan yet', text: 'The monitor makes the plan with its first receipts.' }),
  });
}
