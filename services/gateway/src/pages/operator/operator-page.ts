import type { ServiceState } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { documentOf, mainPart } from '../layout.ts';
import { facts, pageHead, pill, section, stats, type Tone, wholeNumber } from '../parts/blocks.ts';
import { emptyState, table } from '../parts/table.ts';
import { createTimes, type Times } from '../parts/time.ts';
import type { Commands } from './commands.ts';
import { counted, findingList, findingsOf } from './findings.ts';
import {
  type Checks,
  duration,
  type MonitorState,
  type NotifierState,
  type SystemState,
  type WebhooksState,
} from './system-state.ts';

const upstreamStates: Readonly<Record<Checks['upstream'], [Tone, string]>> = {
  open: ['good', 'USCIS answers'],
  closed: ['idle', 'USCIS is closed now'],
  unreachable: ['bad', 'USCIS does not answer'],
};

/** Changes are made with commands: this page has no sign-in (ADR 0012). */
const commands = [
  ['explain case <id>', 'The history of a case through all services.'],
  ['deadletters list <service>', 'Events that a service could not handle; replay or discard them.'],
  ['monitor status', 'Breaker, quota, held updates, and the last messages of USCIS.'],
  ['monitor probe', 'Ask USCIS immediately, although the circuit breaker is open.'],
  ['monitor pause', 'Pause all checks.'],
  ['monitor resume', 'Continue the checks.'],
  ['monitor drop-held', 'Drop held changes; no one is notified.'],
  ['notifier templates', 'WhatsApp templates, compared with the provider.'],
  ['notifier replay --channel email --since <time>', 'Send failed notifications again.'],
  ['webhooks disable --endpoint <number>', 'Send nothing more to an endpoint; `enable` undoes it.'],
  ['webhooks replay --endpoint <number> --since <time>', 'Send failed deliveries of an endpoint again.'],
  ['key revoke --key <number>', 'A key leaked: it is refused from the next request on.'],
  ['republish <service> --since <time>', 'Publish events of an outbox again.'],
] as const;

type Options = {
  readonly now: Date;
  /** Address of the trace viewer. */
  readonly tracesUrl: string | undefined;
  readonly command: Commands;
};

/** The state of the whole system; what is wrong stands first. */
export function operatorPage(state: SystemState, { now, tracesUrl, command }: Options): string {
  const times = createTimes({ now, zone: 'UTC', language: 'en' });
  const findings = findingsOf(state);
  const summary =
    findings.length === 0 ? pill('good', 'All is well') : pill('bad', counted(findings.length, 'finding'));
  const main = html`${pageHead({ title: 'Casewatch', sub: html`State of ${times.exact(now.toISOString())}`, aside: html`${summary}${upstreamPill(state)}${links(tracesUrl)}` })}
${findingList(findings, command)}
${checkSections(state, times)}
${serviceSections(state, { times, command })}
${sendingSections(state, times)}
${section('Commands', facts(commands.map(([words, text]) => [text, html`<code>${command(words)}</code>`])))}`;
  return documentOf({ language: 'en', title: 'Operator · Casewatch', body: mainPart(main) });
}

function links(tracesUrl: string | undefined): Markup {
  return html`${tracesUrl !== undefined && html`<a class="button" href="${tracesUrl}">Traces and logs</a>`}<a class="button" href="/">Look again</a>`;
}

const noAnswer = (name: string) => html`<p class="quiet">${name} does not answer.</p>`;
const noMonitor = noAnswer('The monitor');
const noNotifier = noAnswer('The notifier');
const noWebhooks = noAnswer('The service webhooks');

/** Freshness, quota and schedule of the checks at USCIS. */
function checkSections({ checks, services: { monitor } }: SystemState, times: Times): Markup {
  return html`${section('Checks', checks ? figures(checks) : noMonitor)}
${section('USCIS', monitor ? upstream(monitor, times) : noMonitor)}
${section('Quota of today', checks ? quota(checks, monitor) : noMonitor)}
${section('Time between two checks', checks ? intervals(checks) : noMonitor)}
${section('Needed checks by schedule class', checks ? classes(checks) : noMonitor)}`;
}

/** "Open" says that requests may be sent, not that one was answered. */
function upstreamPill({ checks, services: { monitor } }: SystemState): Markup | null {
  if (!checks) return null;
  if (checks.upstream === 'open' && monitor?.answered_at === null)
    return pill('idle', 'USCIS has not answered yet');
  return pill(...upstreamStates[checks.upstream]);
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
  const {
    answered_at,
    breaker,
    next_probe_at,
    pace,
    detection_delay: delay,
    refusals,
    unknown_titles,
  } = monitor;
  const sentences = refusals.map(
    ({ result, message, at }) =>
      [`USCIS said (${result})`, html`“${message}” <small>${times.ago(at)}</small>`] as const,
  );
  return facts([
    ['Circuit breaker', breaker],
    next_probe_at === null ? null : ['Next probe', times.exact(next_probe_at)],
    answered_at === undefined
      ? null
      : ['Last answer about a receipt', answered_at === null ? 'none yet' : times.ago(answered_at)],
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
      [`${lane} checks`, `${wholeNumber(used)} used, ${wholeNumber(left)} left`] as const,
  );
  return html`<div class="stack"><p>${wholeNumber(used_today)} of ${wholeNumber(daily_budget)} checks (${percent} %)</p>
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
        wholeNumber(receipts),
        wholeNumber(needed_per_day),
      ]),
    empty: emptyState({ title: 'No plan yet', text: 'The monitor makes the plan with its first receipts.' }),
  });
}

/** Outboxes, dead letters and consumers of all services. */
function serviceSections(
  { isBusUp, unable, services }: SystemState,
  { times, command }: { times: Times; command: Commands },
): Markup {
  const rows = Object.entries(services);
  const stateOf = (name: string, state: ServiceState | null) => {
    if (!isBusUp) return pill('idle', 'unknown: NATS does not answer');
    if (unable.includes(name)) return pill('bad', 'answers, without its state');
    return state ? pill('good', 'answers') : pill('bad', 'does not answer');
  };
  return html`${section('Services', serviceTable(rows, { times, stateOf }))}
${section('Dead letters', deadLetters(rows, command))}
${section('Consumers', consumers(rows))}`;
}

type Rows = readonly (readonly [string, ServiceState | null])[];

const unknown = '–';

type Shown = { times: Times; stateOf(name: string, state: ServiceState | null): Markup };

function serviceTable(rows: Rows, { times, stateOf }: Shown): Markup {
  return table({
    caption: 'Services',
    head: ['Service', 'State', 'Events to publish', 'Oldest', 'Refused', 'Dead letters', 'Replica since'],
    rows: rows.map(([name, state]) => [
      name,
      stateOf(name, state),
      String(state?.outbox?.waiting ?? unknown),
      duration(state?.outbox?.oldest_seconds),
      String(state?.outbox?.refused ?? unknown),
      String(state?.dead_letters ?? unknown),
      state ? times.ago(state.started_at) : unknown,
    ]),
  });
}

function deadLetters(rows: Rows, commandOf: Commands): Markup {
  const command = (verb: string, name: string) =>
    html`<code>${commandOf(`deadletters ${verb} ${name}`)}</code>`;
  return table({
    caption: 'Dead letters',
    head: ['Service', 'Events', 'Look at them', 'Replay or discard'],
    rows: rows.flatMap(([name, state]) =>
      state?.dead_letters
        ? [
            [
              name,
              String(state.dead_letters),
              command('list', name),
              html`${command('replay', `${name} --all`)}<br>${command('discard', `${name} --all`)}`,
            ],
          ]
        : [],
    ),
    empty: emptyOf(rows, ({ dead_letters: count }) => count, {
      title: 'No dead letters',
      text: 'Every event was handled, or waits to be handled.',
    }),
  });
}

/** Nothing is well because nobody said otherwise: services that do not say it are named. */
function emptyOf(
  rows: Rows,
  said: (state: ServiceState) => unknown,
  what: { title: string; text: string },
): Markup {
  const silent = rows.filter(([, state]) => state === null || said(state) === null);
  if (silent.length === 0) return emptyState(what);
  const names = silent.map(([name]) => name).join(', ');
  const others = silent.length === rows.length ? '' : ' The others report nothing.';
  return emptyState({ title: 'Not known', text: `These do not say it: ${names}.${others}` });
}

const outcomes = ['done', 'not yet', 'away', 'failed', 'dead'] as const;

/** So many wait for a moment while all is well. */
const fewEvents = 100;
/** Events that wait so long for the first one to be finished are trouble, s. */
const longStall = 60;

type Consumer = NonNullable<ServiceState['consumers']>[number];

/** Consumers without trouble are folded away: there are many. */
function consumers(rows: Rows): Markup {
  const all = rows.flatMap(([, state]) => state?.consumers ?? []);
  const isQuiet = ({ pending, stalled_seconds, outcomes: counts }: Consumer) =>
    pending < fewEvents &&
    stalled_seconds < longStall &&
    counts.every(({ outcome }) => outcome === 'done' || outcome === 'away');
  const [quiet, busy] = [all.filter(isQuiet), all.filter((consumer) => !isQuiet(consumer))];
  const nothing = emptyOf(rows, ({ consumers: list }) => list, {
    title: 'All consumers are healthy',
    text: 'Few events wait, and none has failed since the start of these replicas.',
  });
  return html`<div class="stack"><p class="quiet small">The outcomes are those of one replica since its start.</p>
${consumerTable('Consumers with events that wait or failed', busy, nothing)}
${quiet.length > 0 && html`<details class="more"><summary>The other consumers (${quiet.length})</summary>${consumerTable('The other consumers', quiet)}</details>`}</div>`;
}

function consumerTable(caption: string, list: readonly Consumer[], empty?: Markup): Markup {
  return table({
    caption,
    head: ['Consumer', 'Events to handle', 'Done', 'Not yet', 'Away', 'Failed', 'Dead'],
    rows: list.map(({ name, pending, outcomes: counts }) => [
      name,
      String(pending),
      ...outcomes.map((outcome) => String(counts.find((row) => row.outcome === outcome)?.count ?? 0)),
    ]),
    empty,
  });
}

/** Mails, messages, templates and endpoints. */
function sendingSections({ services: { notifier, webhooks } }: SystemState, times: Times): Markup {
  return html`${section('Messages', notifier ? messages(notifier) : noNotifier)}
${section('WhatsApp templates', notifier ? templates(notifier) : noNotifier)}
${section('Webhooks', webhooks ? endpoints(webhooks, times) : noWebhooks)}`;
}

function messages({ queues, messages: counts, circuits }: NotifierState): Markup {
  const paused = circuits.map(
    ({ scope, remaining_seconds }) =>
      html`<li><b>${scope}</b> <span>paused for ${duration(remaining_seconds)}</span></li>`,
  );
  return html`<div class="stack">${stats(
    queues.map(({ queue, due, unsent, oldest_unsent_seconds: oldest }) => ({
      label: `Unsent: ${queue}`,
      value: unsent,
      note: unsent === 0 ? null : `${due} due; the oldest unsent for ${duration(oldest)}`,
    })),
  )}
${paused.length > 0 && html`<ul class="list">${paused}</ul>`}
<p class="quiet small">Messages of the last 24 hours:</p>
${table({
  caption: 'Messages of the last 24 hours',
  head: ['Queue', 'Status', 'Reason', 'Messages'],
  rows: counts.map(({ queue, status, code, count }) => [
    queue,
    pill(toneOf(status), status),
    code ?? '–',
    String(count),
  ]),
  empty: emptyState({ title: 'No messages', text: 'No message was created in the last 24 hours.' }),
})}</div>`;
}

function toneOf(status: string) {
  if (status === 'sent' || status === 'delivered') return 'good';
  return status === 'failed' || status === 'expired' ? 'bad' : 'idle';
}

function templates({ templates: rows }: NotifierState): Markup {
  const empty = emptyState({
    title: 'No templates',
    text: 'WhatsApp is off, or the templates are not compared with the provider yet.',
  });
  return table({
    caption: 'WhatsApp templates',
    head: ['Template', 'Language', 'State'],
    rows: (rows ?? []).map(({ template, language, is_ready, finding }) => [
      template,
      language,
      pill(is_ready ? 'good' : 'warn', finding),
    ]),
    empty,
  });
}

function endpoints(webhooks: WebhooksState, times: Times): Markup {
  const { failing, disabled, oldest_overdue_seconds, failing_endpoints } = webhooks;
  return html`<div class="stack">${stats([
    { label: 'Endpoints that fail', value: failing },
    { label: 'Disabled endpoints', value: disabled },
    { label: 'Oldest late delivery', value: duration(oldest_overdue_seconds) },
  ])}
${table({
  caption: 'Endpoints that fail',
  head: ['Endpoint', 'Partner', 'Failing', 'Attempts', 'Error'],
  rows: failing_endpoints.map(({ id, partner_id, host, failing_since, failures, error }) => [
    html`${host}<span class="under">number ${id}</span>`,
    String(partner_id),
    times.ago(failing_since),
    String(failures),
    error ?? '–',
  ]),
  empty: emptyState({ title: 'No endpoint fails', text: 'The last attempt at each endpoint succeeded.' }),
})}</div>`;
}
