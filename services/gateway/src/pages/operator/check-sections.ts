import { html, type Markup } from '@casewatch/platform';
import { facts, section, stats } from '../parts/page-head.ts';
import { emptyState, table } from '../parts/table.ts';
import type { Times } from '../parts/time.ts';
import { duration } from './duration.ts';
import type { Checks, MonitorState, SystemState } from './system-state.ts';

const wholeNumber = new Intl.NumberFormat('en');
const noAnswer = html`<p class="quiet">The monitor does not answer.</p>`;

/** Freshness, quota and schedule of the checks at USCIS. */
export function checkSections({ checks, services: { monitor } }: SystemState, times: Times): Markup {
  return html`${section('Checks', checks ? figures(checks) : noAnswer)}
${section('USCIS', monitor ? upstream(monitor, times) : noAnswer)}
${section('Quota of today', checks ? quota(checks, monitor) : noAnswer)}
${section('Time between two checks', checks ? intervals(checks) : noAnswer)}
${section('Needed checks by schedule class', checks ? classes(checks) : noAnswer)}`;
}

function figures({ watched_receipts, freshness, overdue_receipts }: Checks): Markup {
  return stats([
    { label: 'Receipts that are checked', value: watched_receipts },
    { label: 'Age of a status, half of the receipts', value: duration(freshness?.p50_seconds) },
    { label: 'Age of a status, 95 %', value: duration(freshness?.p95_seconds) },
    { label: 'Overdue receipts', value: overdue_receipts ?? '–' },
  ]);
}

function upstream(monitor: MonitorState, times: Times): Markup {
  const { breaker, next_probe_at, pace, detection_delay: delay, refusals, unknown_titles } = monitor;
  const sentences = refusals.map(
    ({ result, message, at }) =>
      [`USCIS said (${result})`, html`“${message}” <small>${times.ago(at)}</small>`] as const,
  );
  return facts([
    ['Circuit breaker', breaker],
    next_probe_at === null ? null : ['Next probe', times.exact(next_probe_at)],
    ['Rate in use', `${Math.round(pace * 100)} %`],
    ['Detection of a change, half of the changes', duration(delay?.p50_seconds)],
    ['Detection of a change, 95 %', duration(delay?.p95_seconds)],
    ['Unknown titles', String(unknown_titles)],
    ...sentences,
  ]);
}

function quota({ used_today, daily_budget }: Checks, monitor: MonitorState | null): Markup {
  const percent = daily_budget > 0 ? Math.round((100 * used_today) / daily_budget) : 0;
  const lanes = (monitor?.lanes ?? []).map(
    ({ lane, used, left }) =>
      [`${lane} checks`, `${wholeNumber.format(used)} used, ${wholeNumber.format(left)} left`] as const,
  );
  return html`<div class="stack"><p>${wholeNumber.format(used_today)} of ${wholeNumber.format(daily_budget)} checks (${percent} %)</p>
<progress max="${Math.max(1, daily_budget)}" value="${used_today}" aria-label="Used quota"></progress>
${facts(lanes)}</div>`;
}

function intervals({ planned_interval: planned, real_interval: real }: Checks): Markup {
  return facts([
    ['Planned, half of the receipts', duration(planned?.p50_seconds)],
    ['Planned, 95 %', duration(planned?.p95_seconds)],
    ['Real, half of the receipts', duration(real?.p50_seconds)],
    ['Real, 95 %', duration(real?.p95_seconds)],
  ]);
}

function classes({ capacity }: Checks): Markup {
  return table({
    caption: 'Schedule classes',
    head: ['Class', 'Receipts', 'Checks a day'],
    rows: (capacity?.by_class ?? [])
      .filter(({ receipts }) => receipts > 0)
      .map(({ class: name, receipts, needed_per_day }) => [
        name.replaceAll('_', ' '),
        wholeNumber.format(receipts),
        wholeNumber.format(needed_per_day),
      ]),
    empty: emptyState({ title: 'No plan yet', text: 'The monitor makes the plan with its first receipts.' }),
  });
}
