import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import type { ConsoleCall } from '../console-page.ts';
import { notifyPill, reasonOf } from '../states.ts';

type Update = Success<'get_partner_case'>['status_updates'][number];

/** Who was told of a status update: each channel with its state, the reason and the time. */
export function told({ times }: Pick<ConsoleCall, 'times'>, update: Update): Markup {
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
      html`<li><b>${name}</b>${notifyPill(status)}<span class="small quiet">${reasonOf(error)} ${at && times.exact(at)}</span></li>\n`,
  )}</ul>`;
}
