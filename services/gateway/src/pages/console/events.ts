import { type Success, webhookEventTypes } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../page.ts';
import { eventLines, pageHead } from '../parts/blocks.ts';
import { choicesOf, field, filterButton, optionalText, select } from '../parts/form.ts';
import { emptyState, pager, refusedList } from '../parts/table.ts';
import { type ConsoleCall, consolePage, lastHours } from './console-page.ts';
import { userIdOf } from './user-filter.ts';

const hourMs = 3_600_000;
const ordinaryHours = 24;
const query = z.object({
  type: optionalText,
  /** E-mail address or id. */
  user: optionalText,
  hours: z.coerce.number('must be a number of hours').min(1).max(720).default(ordinaryHours),
  cursor: optionalText,
});

const head = (aside: Markup) =>
  pageHead({
    title: 'Events',
    sub: 'What your systems receive, newest first. Systems without webhooks poll GET /v1/events.',
    aside,
  });

/** What a system polls at GET /v1/events, newest first. */
export const eventList = consolePage({
  method: 'GET',
  path: '/console/events',
  scope: 'webhooks',
  query,
  async handle(call) {
    const { type, user, hours, cursor } = call.query;
    const user_id = user === undefined ? undefined : await userIdOf(call, user);
    // A cursor is bound to `since`, so the time is cut to whole hours.
    const from = Math.floor(call.times.now.getTime() / hourMs) * hourMs - hours * hourMs;
    const since = new Date(from).toISOString();
    const answer =
      user_id === null
        ? { events: [], has_more: false, next_cursor: null }
        : await call.ask('list_events', {
            query: { type, user_id, since, cursor, sort: '-at', limit: '25' },
          });
    const main = html`${head(filters(call.query))}
${list(call, answer.events)}
${pager({ url: call.url, next: answer.has_more ? answer.next_cursor : null })}`;
    return { title: 'Events', main };
  },
  refused: async (_call, refusal) => ({
    title: 'Events',
    main: html`${head(filters(query.parse({}), refusal))}
${refusedList(refusal, '/console/events')}`,
  }),
});

const types = choicesOf(webhookEventTypes, 'All events');

function filters({ type, user, hours }: z.output<typeof query>, refusal: Refusal | null = null): Markup {
  return filterButton({
    action: '/console/events',
    label: 'Events',
    chosen: { type, user, hours: hours === ordinaryHours ? undefined : String(hours) },
    refusal,
    fields: [
      select({ name: 'type', label: 'Type', value: type, choices: types, refusal }),
      field({
        name: 'user',
        label: 'E-mail address or number of the user',
        type: 'search',
        value: user,
        placeholder: 'ana@example.com',
        refusal,
      }),
      select({ name: 'hours', label: 'From when', value: String(hours), choices: lastHours, refusal }),
    ],
  });
}

function list({ times }: ConsoleCall, events: Success<'list_events'>['events']): Markup {
  if (events.length === 0) {
    return emptyState({
      title: 'No events',
      text: 'Nothing that these filters show happened in this time, or it happened less than 7 seconds ago.',
    });
  }
  const rows = events.map((event) => {
    const subject = subjectOf(event.data);
    return html`<li><details class="more event"><summary><b>${event.type}</b> <span class="quiet">${subject?.text}</span> ${times.ago(event.timestamp)}</summary>
${subject && html`<p>About the ${subject.kind} <a href="${subject.href}">${subject.text}</a></p>`}${eventLines(event)}</details></li>\n`;
  });
  return html`<div class="card"><ul class="list">${rows}</ul></div>`;
}

const ofCase = z.object({ case: z.object({ user_case_id: z.string(), receipt_number: z.string() }) });
const ofUser = z.object({ user: z.object({ id: z.number(), name: z.string() }) });

/** The case or the user that an event is about, if it is about one that has a page. */
function subjectOf(data: object): { kind: string; text: string; href: string } | null {
  const { data: found } = ofCase.safeParse(data);
  if (found) {
    const { user_case_id, receipt_number } = found.case;
    return { kind: 'case', text: receipt_number, href: `/console/cases/${user_case_id}` };
  }
  const { data: person } = ofUser.safeParse(data);
  return person ? { kind: 'user', text: person.user.name, href: `/console/users/${person.user.id}` } : null;
}
