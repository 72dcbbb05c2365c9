import { html } from '@casewatch/platform';
import { pageHead, pill } from '../parts/blocks.ts';
import { emptyState, table } from '../parts/table.ts';
import { consolePage } from './console-page.ts';

/** Why a user gets no messages on a channel, in the words of a pill. */
export const unreachable = {
  hard_bounce: 'Not reachable',
  complaint: 'Reported as spam',
  opt_out: 'Opted out',
  unsubscribed: 'Unsubscribed',
} as const;

/** Most rows of the operation. */
const listed = 100;

/** The users of whom the overview shows the first. */
export const usersWithoutMessages = consolePage({
  method: 'GET',
  path: '/console/users/without-messages',
  scope: 'users:read',
  async handle({ ask, times }) {
    const { suppressions } = await ask('list_suppressions');
    const main = html`${pageHead({
      title: 'Users without messages',
      back: { href: '/console/users', text: 'Users' },
      sub: `Users to whom a message was due in the last 30 days, and who did not get it.${suppressions.length === listed ? ` The latest ${listed}.` : ''}`,
    })}
${table({
  caption: 'Users without messages',
  isDense: true,
  head: ['User', 'Channel', 'Why', 'Since'],
  rows: suppressions.map(({ user, channel, reason, since }) => [
    html`<a href="/console/users/${user.id}">${user.name}</a>`,
    channel === 'email' ? 'E-mail' : 'WhatsApp',
    pill('warn', unreachable[reason]),
    times.day(since),
  ]),
  empty: emptyState({
    title: 'Everybody gets messages',
    text: 'No message was held back in the last 30 days because an address is not reachable or a person opted out.',
  }),
})}`;
    return { title: 'Users without messages', main, isLive: true };
  },
});
