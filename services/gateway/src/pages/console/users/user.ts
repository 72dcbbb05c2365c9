import type { Channel, RecipientSuppression, Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import { buttonForm } from '../../parts/form.ts';
import { optionalText } from '../../parts/form-values.ts';
import { facts, pageHead, section } from '../../parts/page-head.ts';
import { pager } from '../../parts/pager.ts';
import { notice, pill } from '../../parts/pill.ts';
import { emptyState } from '../../parts/table.ts';
import { caseTable } from '../cases/cases.ts';
import { type ConsoleCall, consolePage } from '../console-page.ts';
import { ifAvailable } from '../if-available.ts';
import { reasonOf, userPill } from '../states.ts';
import { deleteUserForm } from './delete-user.ts';
import { userMessages } from './user-messages.ts';
import { userPath } from './user-path.ts';

const notes = {
  resent: 'A new verification e-mail was sent.',
  saved: 'The changes are saved.',
} as const;

/** One user: details, channels and why one is off, cases, and messages about their newest changes. */
export const userPage = consolePage({
  method: 'GET',
  path: '/console/users/:user_id',
  scope: 'users:read',
  params: userPath,
  query: z.object({ cursor: optionalText, done: z.enum(['resent', 'saved']).optional() }),
  async handle(call) {
    const { ask, params, query, session } = call;
    const { scopes } = session.principal;
    const [{ user }, suppressed, cases] = await Promise.all([
      ask('get_partner_user', { params }),
      ifAvailable(ask('list_suppressions', { query: params })),
      scopes.includes('cases:read')
        ? ask('list_partner_cases', { query: { ...params, cursor: query.cursor, limit: '25' } })
        : null,
    ]);
    const canWrite = scopes.includes('users:write');
    const main = html`${head(user, canWrite)}
${query.done && notice('good', notes[query.done])}
${details(call, user, suppressed?.suppressions ?? [])}
${cases && section('Cases', html`${caseTable(call, cases.cases, { none: noCases })}${pager({ url: call.url, next: cases.next_cursor })}`, addCase(user, scopes.includes('cases:write')))}
${cases && cases.cases.length > 0 && section('Messages', await userMessages(call, cases.cases))}
${canWrite && deleteUserForm(user, null)}`;
    return { title: 'User', main };
  },
});

const noCases = emptyState({
  title: 'No cases yet',
  text: 'A case is a receipt number that we monitor for this user. Messages begin with its first change.',
});

type User = Success<'get_partner_user'>['user'];

function head(user: User, canWrite: boolean): Markup {
  const path = `/console/users/${user.id}`;
  const toggle = user.status === 'active' ? 'deactivate' : 'activate';
  const actions = html`<a class="button" href="${path}/edit">Edit</a>
${user.email_verified_at === null && buttonForm(`${path}/resend-verification`, 'Resend verification')}
${user.status !== 'suspended' && buttonForm(`${path}/${toggle}`, toggle === 'activate' ? 'Activate' : 'Deactivate')}`;
  return pageHead({
    back: { href: '/console/users', text: 'Users' },
    title: user.name,
    sub: user.email,
    aside: html`${userPill(user.status)}${canWrite && actions}`,
  });
}

function addCase(user: User, canWrite: boolean): Markup | null {
  if (!canWrite || user.status !== 'active') return null;
  return html`<a class="button primary" href="/console/users/${user.id}/cases/new">Add a case</a>`;
}

const languages = { en: 'English', es: 'Spanish', pt: 'Portuguese' };

function details({ times }: ConsoleCall, user: User, suppressions: readonly RecipientSuppression[]): Markup {
  const suppressed = (channel: Channel) => suppressions.find((one) => one.channel === channel);
  return html`<div class="card">${facts([
    ['E-mail messages', channelState(suppressed('email'), emailProblem(user))],
    ['WhatsApp messages', channelState(suppressed('whatsapp'), whatsappProblem(user))],
    ['Phone number', user.phone ?? 'None'],
    ['Language', languages[user.preferred_language]],
    ['Address verified', times.day(user.email_verified_at, 'Not yet')],
    ['Created', times.day(user.created_at)],
  ])}</div>`;
}

/** A channel, and why it is off. */
function channelState(suppression: RecipientSuppression | undefined, problem: string | null): Markup {
  const reason = suppression ? reasonOf(`suppressed_${suppression.reason}`) : problem;
  if (reason === null) return pill('good', 'On');
  return html`${pill(suppression ? 'bad' : 'idle', 'Off')} <span class="under">${reason}</span>`;
}

function emailProblem(user: User): string | null {
  if (user.status !== 'active') return 'The user is not active.';
  if (!user.notify_by_email) return 'Turned off for this user.';
  return user.email_verified_at === null ? 'Messages start when the address is verified.' : null;
}

function whatsappProblem(user: User): string | null {
  if (user.status !== 'active') return 'The user is not active.';
  if (!user.notify_by_whatsapp) return 'Turned off for this user.';
  return user.phone === null ? 'The user has no phone number.' : null;
}
