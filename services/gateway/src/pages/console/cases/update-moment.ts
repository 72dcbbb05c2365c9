import { htmlLanguage, type Language, type Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { entriesNewIn } from '../../parts/history.ts';
import type { Moment } from '../../parts/timeline.ts';
import { explanationOf, withBoldDay } from '../../people/status-words.ts';
import type { ConsoleCall } from '../console-page.ts';
import { planned } from '../planned.ts';
import { deliveryPill, deliveryReason } from '../states.ts';
import { told } from './told.ts';
import type { UpdateDelivery } from './update-deliveries.ts';

type Update = Success<'get_partner_case'>['status_updates'][number];

const kinds: Readonly<Partial<Record<Update['kind'], string>>> = {
  baseline: 'First status',
  translation: 'Translation changed',
  flap: 'Correction',
};

type Options = {
  /** The updates before it, as far as they are shown. */
  readonly older: readonly Update[];
  readonly isCurrent: boolean;
  readonly language: Language;
  readonly deliveries: readonly UpdateDelivery[];
};

/** One status: our words in the order of the mails, those of the government, who was told, and which endpoints received it. */
export function updateMoment(
  { times }: Pick<ConsoleCall, 'times'>,
  update: Update,
  { older, isCurrent, language, deliveries }: Options,
): Moment {
  const { changes, history, touched_at } = update;
  const changed = changes.length === 0 ? null : `Changed: ${changes.join(', ')}`;
  const facts = [kinds[update.kind], changed, update.form_type].filter((text) => text != null);
  const added = entriesNewIn(update, older);
  const { meaning, toDo } = explanationOf(update, language);
  const lang = htmlLanguage[language];
  const content = html`<div class="row"><h3>${update.status_code}</h3><p class="small quiet">${times.exact(update.timestamp)} (${times.ago(update.timestamp)})</p></div>
<p class="small quiet">${facts.join(' · ')}</p>
${touched_at && html`<p class="small quiet">USCIS touched its record on ${times.exact(touched_at)}; what it says did not change.</p>`}
<div class="card">
${
  toDo &&
  html`<h4 class="small quiet">What to do, as the user reads it</h4>
<p lang="${lang}">${toDo.action} ${withBoldDay(toDo.deadline)}</p>`
}
<h4 class="small quiet">What this means, as the user reads it</h4>
<p lang="${lang}">${meaning}</p>
<h4 class="small quiet">What USCIS says</h4>
<p class="words" lang="en">${update.status_description}</p>
${added.length > 0 && html`<h4 class="small quiet">New in the history</h4>${entries(added)}`}
${history.length > 0 && html`<details class="small"><summary>History at USCIS (${history.length})</summary>${entries(history)}</details>`}
<h4 class="small quiet">Who was told</h4>
${told({ times }, update)}
${deliveries.length > 0 && html`<h4 class="small quiet">Your systems</h4>${received({ times }, deliveries)}`}
</div>`;
  return { isCurrent, content };
}

/** Newest first. The days are those of USCIS, in no zone. */
function entries(history: Update['history']): Markup {
  const shown = history
    .toReversed()
    .map(
      ({ date, status_code }) =>
        html`<li><span class="quiet mono">${date}</span> <span lang="en">${status_code}</span></li>\n`,
    );
  return html`<ul class="told">${shown}</ul>`;
}

function received({ times }: Pick<ConsoleCall, 'times'>, deliveries: readonly UpdateDelivery[]): Markup {
  return html`<ul class="told">${deliveries.map(
    (delivery) =>
      html`<li><a href="/console/webhooks/${delivery.webhook_id}/deliveries/${delivery.id}">${delivery.endpoint}</a>${deliveryPill(delivery.status)}<span class="small quiet">${resultOf({ times }, delivery)}</span></li>\n`,
  )}</ul>`;
}

function resultOf({ times }: Pick<ConsoleCall, 'times'>, delivery: UpdateDelivery): Markup {
  const { reason, attempt_count, last_status, last_error, next_attempt_at, created_at } = delivery;
  const answer = last_status === null ? last_error : `HTTP ${last_status}`;
  const attempts = attempt_count > 1 ? ` after ${attempt_count} attempts` : '';
  if (reason !== null) return html`${answer && `${answer}${attempts}, `}${deliveryReason(reason)}`;
  const when = next_attempt_at
    ? html`next attempt ${planned(times, next_attempt_at, '')}`
    : html`${times.exact(created_at)}`;
  return html`${answer && `${answer}${attempts}, `}${when}`;
}
