import type { ServiceState } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { section } from '../parts/page-head.ts';
import { pill } from '../parts/pill.ts';
import { emptyState, table } from '../parts/table.ts';
import type { Times } from '../parts/time.ts';
import { duration } from './duration.ts';
import type { SystemState } from './system-state.ts';

/** Outboxes, dead letters and consumers of all services. */
export function serviceSections({ services }: SystemState, times: Times): Markup {
  const rows = Object.entries(services);
  return html`${section('Services', serviceTable(rows, times))}
${section('Dead letters', deadLetters(rows))}
${section('Consumers', consumers(rows))}`;
}

type Rows = readonly (readonly [string, ServiceState | null])[];

const unknown = '–';

function serviceTable(rows: Rows, times: Times): Markup {
  return table({
    caption: 'Services',
    head: ['Service', 'State', 'Events to publish', 'Oldest', 'Refused', 'Dead letters', 'Replica since'],
    rows: rows.map(([name, state]) => [
      name,
      state ? pill('good', 'answers') : pill('bad', 'does not answer'),
      String(state?.outbox?.waiting ?? unknown),
      duration(state?.outbox?.oldest_seconds),
      String(state?.outbox?.refused ?? unknown),
      String(state?.dead_letters ?? unknown),
      state ? times.ago(state.started_at) : unknown,
    ]),
    empty: html``,
  });
}

function deadLetters(rows: Rows): Markup {
  const command = (verb: string, name: string) =>
    html`<code>npm run admin -- deadletters ${verb} ${name}</code>`;
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
    empty: emptyState({ title: 'No dead letters', text: 'Every event was handled, or waits to be handled.' }),
  });
}

const outcomes = ['done', 'not yet', 'away', 'failed', 'dead'] as const;

/** So many wait for a moment while all is well. */
const fewEvents = 100;

type Consumer = NonNullable<ServiceState['consumers']>[number];

/** Consumers without trouble are folded away: there are many. */
function consumers(rows: Rows): Markup {
  const all = rows.flatMap(([, state]) => state?.consumers ?? []);
  const isQuiet = ({ pending, outcomes: counts }: Consumer) =>
    pending < fewEvents && counts.every(({ outcome }) => outcome === 'done' || outcome === 'away');
  const [quiet, busy] = [all.filter(isQuiet), all.filter((consumer) => !isQuiet(consumer))];
  const text = 'Few events wait, and none has failed since the start of these replicas.';
  return html`<div class="stack"><p class="quiet small">The outcomes are those of one replica since its start.</p>
${consumerTable('Consumers with events that wait or failed', busy, emptyState({ title: 'All consumers are healthy', text }))}
${quiet.length > 0 && html`<details class="more"><summary>The other consumers (${quiet.length})</summary>${consumerTable('The other consumers', quiet, html``)}</details>`}</div>`;
}

function consumerTable(caption: string, list: readonly Consumer[], empty: Markup): Markup {
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
