import type { Language, Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import type { Moment } from '../../parts/timeline.ts';
import type { ConsoleCall } from '../console-page.ts';
import { notifyPill, reasonOf } from '../states.ts';

type Update = Success<'get_partner_case'>['status_updates'][number];

const kinds: Readonly<Partial<Record<Update['kind'], string>>> = {
  baseline: 'First status',
  details: 'Details changed',
  translation: 'Translation changed',
  flap: 'Correction',
};

/** One status: the government's words, ours, and who was told. */
export function updateMoment(
  { times }: ConsoleCall,
  update: Update,
  { isCurrent, language }: { isCurrent: boolean; language: Language },
): Moment {
  const kind = kinds[update.kind];
  const content = html`<div class="row"><h3>${update.status_code}</h3><p class="small quiet">${times.exact(update.timestamp)} (${times.ago(update.timestamp)})</p></div>
<p class="small quiet">${[kind, update.form_type].filter((text) => text != null).join(' · ')}</p>
<div class="card">
<h4 class="small quiet">What USCIS says</h4>
<p class="words" lang="en">${update.status_description}</p>
<h4 class="small quiet">What this means, as the user reads it</h4>
<p lang="${language}">${update.detail_message}</p>
<h4 class="small quiet">Who was told</h4>
${told({ times }, update)}
</div>`;
  return { isCurrent, content };
}

function told({ times }: Pick<ConsoleCall, 'times'>, update: Update): Markup {
  const channels = [
    {
      name: 'E-mail',
      status: update.email_notify_status,
      error: update.email_notify_last_error,
      at: update.email_notify_sent_at,
    },
    {
      name: 'WhatsApp',
      status: update.whatsapp_notify_status,
      error: update.whatsapp_notify_last_error,
      at: update.whatsapp_notify_sent_at,
    },
  ];
  return html`<ul class="told">${channels.map(
    ({ name, status, error, at }) =>
      html`<li><b>${name}</b>${notifyPill(status)}<span class="small quiet">${at ? times.exact(at) : reasonOf(error)}</span></li>\n`,
  )}</ul>`;
}
