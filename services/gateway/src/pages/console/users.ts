import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../page.ts';
import { pageHead, pill } from '../parts/blocks.ts';
import { field, filterForm, isFiltered, optionalText, select } from '../parts/form.ts';
import { emptyState, pager, refusedList, table } from '../parts/table.ts';
import { type ConsoleCall, can, consolePage } from './console-page.ts';
import { userPill } from './states.ts';

const query = z.object({
  name: optionalText,
  email: optionalText,
  status: optionalText,
  cursor: optionalText,
});

export const userList = consolePage({
  method: 'GET',
  path: '/console/users',
  scope: 'users:read',
  query,
  async handle(call) {
    const { ask, url } = call;
    const { users, next_cursor } = await ask('list_partner_users', { query: { ...call.query, limit: '25' } });
    const main = html`${head(call)}
${filters(call.query)}
${userTable(call, users)}
${pager({ url, next: next_cursor })}`;
    return { title: 'Users', main };
  },
  refused: async (call, refusal) => ({
    title: 'Users',
    main: html`${head(call)}
${filters(query.parse({}), refusal)}
${refusedList(refusal, '/console/users')}`,
  }),
});

const create = html`<a class="button primary" href="/console/users/new">Create a user</a>`;

function head(call: ConsoleCall): Markup {
  return pageHead({ title: 'Users', aside: can(call, 'users:write') ? create : null });
}

function filters({ name, email, status }: z.output<typeof query>, refusal: Refusal | null = null) {
  return filterForm({
    action: '/console/users',
    label: 'Users',
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
    ],
  });
}

const statuses = [
  { value: '', text: 'All' },
  { value: 'active', text: 'Active' },
  { value: 'inactive', text: 'Inactive' },
  { value: 'suspended', text: 'Suspended' },
];

function userTable(
  { times, query: filter }: ConsoleCall<unknown, z.output<typeof query>>,
  users: Success<'list_partner_users'>['users'],
) {
  return table({
    caption: 'Users',
    head: ['User', 'Status', 'Channels', 'Created'],
    rows: users.map((user) => [
      html`<a href="/console/users/${user.id}">${user.name}</a><span class="under">${user.email}</span>`,
      html`${userPill(user.status)}${user.email_verified_at === null && html` ${pill('warn', 'Not verified')}`}`,
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

function channelsOf(user: Success<'list_partner_users'>['users'][number]): string {
  const names = [
    ...(user.notify_by_email ? ['E-mail'] : []),
    ...(user.notify_by_whatsapp ? ['WhatsApp'] : []),
  ];
  return names.join(', ') || 'None';
}
