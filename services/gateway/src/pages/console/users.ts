import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../page.ts';
import { notice, pageHead, pill } from '../parts/blocks.ts';
import { field, filterButton, hidden, isFiltered, optionalText, select } from '../parts/form.ts';
import { emptyState, exportLink, pager, refusedList, table } from '../parts/table.ts';
import { type ConsoleCall, can, consolePage } from './console-page.ts';
import { listUrl } from './selection.ts';
import { userPill } from './states.ts';

const query = z.object({
  name: optionalText,
  email: optionalText,
  status: optionalText,
  verified: optionalText,
  cursor: optionalText,
  done: z.enum(['resent', 'recent', 'limited', 'verified']).optional().catch(undefined),
});

/** What became of a verification mail that was asked for again. */
export const resendNotes = {
  resent: 'A new verification e-mail was sent.',
  recent: 'An e-mail was sent a short while ago. It is on its way.',
  limited: 'No e-mail was sent: this address got too many e-mails. Try again later.',
  verified: 'The address is verified already.',
} as const;

export const userList = consolePage({
  method: 'GET',
  path: '/console/users',
  scope: 'users:read',
  query,
  async handle(call) {
    const { ask, url } = call;
    const { done, ...filter } = call.query;
    const { users, next_cursor } = await ask('list_partner_users', { query: { ...filter, limit: '25' } });
    const main = html`${head(call, filters(call.query), exportLink('/console/users.csv', filter))}
${done && notice(done === 'limited' ? 'warn' : 'good', resendNotes[done])}
${userTable(call, users)}
${pager({ url, next: next_cursor })}`;
    return { title: 'Users', main };
  },
  refused: async (call, refusal) => ({
    title: 'Users',
    main: html`${head(call, filters(query.parse({}), refusal))}
${refusedList(refusal, '/console/users')}`,
  }),
});

const create = html`<a class="button primary" href="/console/users/new">Create a user</a>`;

function head(call: ConsoleCall, filters: Markup, file: Markup | null = null): Markup {
  const aside = html`${filters}${can(call, 'users:write') && html`${file}${create}`}`;
  return pageHead({ title: 'Users', aside });
}

function filters({ name, email, status, verified }: z.output<typeof query>, refusal: Refusal | null = null) {
  return filterButton({
    action: '/console/users',
    label: 'Users',
    chosen: { name, email, status, verified },
    refusal,
    fields: [
      field({ name: 'name', label: 'Name', type: 'search', value: name, placeholder: 'Silva', refusal }),
      field({
        name: 'email',
        label: 'E-mail address',
        type: 'search',
        value: email,
        placeholder: 'ana@example.com',
        refusal,
      }),
      select({ name: 'status', label: 'Status', value: status, choices: statuses, refusal }),
      select({ name: 'verified', label: 'Address', value: verified, choices: addresses, refusal }),
    ],
  });
}

const statuses = [
  { value: '', text: 'All' },
  { value: 'active', text: 'Active' },
  { value: 'inactive', text: 'Inactive' },
  { value: 'suspended', text: 'Suspended' },
];

const addresses = [
  { value: '', text: 'All' },
  { value: 'false', text: 'Not verified' },
  { value: 'true', text: 'Verified' },
];

function userTable(
  call: ConsoleCall<unknown, z.output<typeof query>>,
  users: Success<'list_partner_users'>['users'],
) {
  const { times, query } = call;
  const { done: _, ...filter } = query;
  return table({
    caption: 'Users',
    head: ['User', 'Status', 'Channels', 'Created'],
    rows: users.map((user) => [
      html`<a href="/console/users/${user.id}">${user.name}</a><span class="under">${user.email}</span>`,
      html`${userPill(user.status)}${user.email_verified_at === null && unverified(call, user)}`,
      html`<span class="quiet">${channelsOf(user)}</span>`,
      times.day(user.created_at),
    ]),
    empty: isFiltered(filter)
      ? emptyState({
          title: 'No user matches',
          text: 'Search by part of a name or by the whole e-mail address.',
          action: html`<a class="button" href="/console/users">All users</a>`,
        })
      : emptyState({
          title: 'No users yet',
          text: 'A user is a person whose cases we monitor.',
          action: create,
        }),
  });
}

/** The first mail decides: without it the user is told nothing. One press sends it again. */
function unverified(
  call: ConsoleCall<unknown, unknown>,
  { id, status }: Success<'list_partner_users'>['users'][number],
): Markup {
  const action = `/console/users/${id}/resend-verification`;
  return html` ${pill('warn', 'Not verified')}${
    can(call, 'users:write') &&
    status === 'active' &&
    html` <form method="post" action="${action}">${hidden('back', listUrl('/console/users', call.url))}<button type="submit" class="button link">Resend</button></form>`
  }`;
}

function channelsOf(user: Success<'list_partner_users'>['users'][number]): string {
  const names = [
    ...(user.notify_by_email ? ['E-mail'] : []),
    ...(user.notify_by_whatsapp ? ['WhatsApp'] : []),
  ];
  return names.join(', ') || 'None';
}
