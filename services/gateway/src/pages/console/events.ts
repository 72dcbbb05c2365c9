import { type Success, webhookEventTypes } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../page.ts';
import { eventLines, pageHead } from '../parts/blocks.ts';
import { choicesOf, filterForm, optionalText, select } from '../parts/form.ts';
import { emptyState, pager, refusedList } from '../parts/table.ts';
import { type ConsoleCall, consolePage, lastHours } from './console-page.ts';

const hourMs = 3_600_000;
const query = z.object({
  type: optionalText,
  hours: z.coerce.number('must be a number of hours').min(1).max(720).default(24),
  cursor: optionalText,
});

const head = pageHead({
  title: 'Events',
  sub: 'What your systems receive, oldest first. Systems without webhooks poll GET /v1/events.',
});

/** The list that a system polls at GET /v1/events. */
export const eventList = consolePage({
  method: 'GET',
  path: '/console/events',
  scope: 'webhooks',
  query,
  async handle(call) {
    const { type, hours, cursor } = call.query;
    // A cursor is bound to `since`, so the time is cut to whole hours.
    const from = Math.floor(call.times.now.getTime() / hourMs) * hourMs - hours * hourMs;
    const since = new Date(from).toISOString();
    const answer = await call.ask('list_events', { query: { type, since, cursor, limit: '25' } });
    const main = html`${head}
${filters(call.query)}
${list(call, answer.events)}
${pager({ url: call.url, next: answer.has_more ? answer.next_cursor : null })}`;
    return { title: 'Events', main };
  },
  refused: async (_call, refusal) => ({
    title: 'Events',
    main: html`${head}
${filters(query.parse({}), refusal)}
${refusedList(refusal, '/console/events')}`,
  }),
});

const types = choicesOf(webhookEventTypes, 'All events');

function filters({ type, hours }: z.output<typeof query>, refusal: Refusal | null = null): Markup {
  return filterForm({
    action: '/console/events',
    label: 'Events',
    fields: [
      select({ name: 'type', label: 'Type', value: type, choices: types, refusal }),
      select({ name: 'hours', label: 'From when', value: String(hours), choices: lastHours, refusal }),
    ],
  });
}

function list({ times }: ConsoleCall, events: Success<'list_events'>['events']): Markup {
  if (events.length === 0) {
    return emptyState({
      title: 'No events',
      text: 'Nothing happened in this time, or it happened less than 7 seconds ago.',
    });
  }
  const rows = events.map(
    (
      event,
    ) => html`<li><details class="more event"><summary><b>${event.type}</b> <span class="mono">${event.id}</span> ${times.ago(event.timestamp)}</summary>
${subjectOf(event.data)}${eventLines(event)}</details></li>\n`,
  );
  return html`<div class="card"><ul class="list">${rows}</ul></div>`;
}

/** The case that an event is about, if it is about one. */
function subjectOf(data: object): Markup | null {
  const subject = z.object({ case: z.object({ user_case_id: z.string(), receipt_number: z.string() }) });
  const { data: found } = subject.safeParse(data);
  if (!found) return null;
  const { user_case_id, receipt_number } = found.case;
  return html`<p>About the case <a class="mono" href="/console/cases/${user_case_id}">${receipt_number}</a></p>`;
}
