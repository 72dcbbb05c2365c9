import { html, type Markup } from '@casewatch/platform';
import type { Refusal } from '../page.ts';
import {
  eventLines,
  facts,
  notice,
  pageHead,
  pill,
  secret,
  section,
  stats,
  type Tone,
  timeline,
} from '../parts/blocks.ts';
import { buttonForm, checkbox, checkboxes, disclosure, field, form, select } from '../parts/form.ts';
import { emptyState, pager, table } from '../parts/table.ts';
import { type ConsoleCall, consolePage } from './console-page.ts';

const path = '/console/_parts';
const tones: readonly Tone[] = ['good', 'info', 'warn', 'bad', 'idle'];
const dayMs = 24 * 60 * 60 * 1000;

/** All parts with markup as on the pages, to look at them side by side. Only in development. */
export const partsPage = consolePage({
  method: 'GET',
  path,
  scope: null,
  async handle(call) {
    const main = html`${pageHead({
      back: { href: '/console', text: 'Overview' },
      title: 'Parts',
      sub: 'Every part of the pages, in each of its states',
      aside: html`${pill('good', 'Active')}${buttonForm(path, 'Plain')}${buttonForm(path, 'Primary', 'primary')}`,
    })}
${tones.map((tone) => notice(tone, `A sentence of the tone ${tone}.`))}
${section('States', html`<div class="card"><p>${tones.map((tone) => html`${pill(tone, tone)} `)}</p></div>`)}
${figures(call)}
${section('Table', sampleTable(call), html`<a href="${path}">A link beside</a>`)}
${pager({ url: `${path}?cursor=b`, next: 'c' })}
${section('Empty', emptyState({ title: 'Nothing here yet', text: 'What appears here, and when.', action: html`<a class="button primary" href="${path}">Add one</a>` }))}
${section('Timeline', sampleTimeline(call))}
${section('Form', sampleForm(null))}
${section('Refused form', sampleForm(refusal))}
${section('Below a button', html`<div class="aside">${opened('Replay…', 'idle')}${opened('Delete…', 'bad')}</div>`)}
${section('Secret and code', html`<div class="card">${secret('whsec_bm90IGEgc2VjcmV0')}${eventLines({ type: 'case.status_updated' })}</div>`)}`;
    return { title: 'Parts', main };
  },
});

function figures({ times }: ConsoleCall): Markup {
  return html`${section(
    'Figures',
    stats([
      { label: 'Users', value: 12_345 },
      { label: 'Delivered', value: '99.4 %', note: '24 hours' },
      { label: 'Last check', value: times.ago(times.now.toISOString()) },
      { label: 'Next check', value: times.ago(null, 'paused') },
    ]),
  )}
${section(
  'Facts',
  html`<div class="card">${facts([
    ['Name', 'Santos & Partners'],
    ['Partner since', times.day(times.now.toISOString())],
    ['Progress', html`<progress value="0.4" max="1" aria-label="Progress"></progress>`],
  ])}</div>`,
)}`;
}

function sampleTable({ times }: ConsoleCall): Markup {
  const rows = tones.map((tone, index) => [
    html`<a href="${path}">Case ${index + 1}</a><span class="under mono">EAC999910340${index}</span>`,
    pill(tone, 'Case Was Updated To Show That No One Appeared for In-Person Processing'),
    times.ago(new Date(times.now.getTime() - index * dayMs).toISOString()),
  ]);
  return table({ caption: 'Cases', head: ['Case', 'Status', 'When'], rows });
}

function sampleTimeline({ times }: ConsoleCall): Markup {
  const moment = (title: string) =>
    html`<div class="row"><h3>${title}</h3><p class="small quiet">${times.exact(times.now.toISOString())}</p></div>
<div class="card"><h4 class="small quiet">What USCIS says</h4><p class="words">We received your Form I-130.</p></div>`;
  return timeline([
    { isCurrent: true, content: moment('Case Was Approved') },
    { isCurrent: false, content: moment('Case Was Received') },
  ]);
}

const choices = [
  { value: 'en', text: 'English' },
  { value: 'es', text: 'Spanish' },
];

const refusal: Refusal = {
  code: 'validation_failed',
  status: 400,
  message: 'Some fields need a change.',
  fields: { refused_email: 'This must be an e-mail address.' },
  posted: { refused_email: 'not an address', refused_events: 'en' },
};

/** A document has each id once, so the refused form has other names. */
function sampleForm(refused: Refusal | null): Markup {
  const prefix = refused ? 'refused' : 'sample';
  const content = html`${field({ name: `${prefix}_email`, label: 'E-mail address', hint: 'The user gets a message there.', type: 'email', placeholder: 'ana@example.com', refusal: refused })}
${select({ name: `${prefix}_language`, label: 'Language', value: 'es', choices })}
${checkboxes({ name: `${prefix}_events`, label: 'Events', chosen: ['en'], choices, refusal: refused })}
${checkbox({ name: `${prefix}_agreed`, label: 'The user has agreed.', isChecked: true, refusal: refused })}`;
  return form({ action: path, content, button: 'Save', refusal: refused });
}

function opened(summary: string, summaryTone: Tone): Markup {
  return disclosure({
    summary,
    summaryTone,
    text: 'What happens next.',
    action: path,
    button: 'Go on',
    tone: 'danger',
  });
}
