import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { emptyState, table } from '../../parts/table.ts';
import type { ConsoleCall } from '../console-page.ts';
import { planned } from '../planned.ts';
import { deliveryPill, deliveryReason } from '../states.ts';

/** The deliveries of an endpoint, each with its last attempt. */
export function deliveryTable(
  { times, query }: ConsoleCall<unknown, Readonly<Record<string, unknown>>>,
  id: number,
  deliveries: Success<'list_deliveries'>['deliveries'],
): Markup {
  return table({
    caption: 'Deliveries',
    head: ['Event', 'Status', 'Attempts', 'Created'],
    rows: deliveries.map((delivery) => {
      const last = delivery.attempts.at(-1);
      return [
        html`<a href="/console/webhooks/${id}/deliveries/${delivery.id}">${delivery.event}</a><span class="under mono">${delivery.event_id}</span>`,
        html`${deliveryPill(delivery.status)}${delivery.reason && html`<span class="under">${deliveryReason(delivery.reason)}</span>`}`,
        html`${delivery.attempts.length}${last && html`<span class="under">${last.error ?? `HTTP ${last.status ?? '–'}`} in ${last.ms} ms</span>`}`,
        html`${times.ago(delivery.created_at)}${delivery.next_attempt_at && html`<span class="under">next attempt ${planned(times, delivery.next_attempt_at, '')}</span>`}`,
      ];
    }),
    empty: Object.values(query).some((value) => value !== undefined)
      ? emptyState({
          title: 'No delivery matches',
          text: 'Change or clear the filters.',
          action: html`<a class="button" href="/console/webhooks/${id}">All deliveries</a>`,
        })
      : emptyState({
          title: 'No deliveries yet',
          text: 'Send a test event, or wait for the next change of a case.',
        }),
  });
}
