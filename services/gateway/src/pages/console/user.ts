import type { Channel, RecipientSuppression, Success } from '@casewatch/contracts';
import { ApiError, html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../page.ts';
import { facts, notice, pageHead, pill, section } from '../parts/blocks.ts';
import { buttonForm, disclosure, field, optionalText } from '../parts/form.ts';
import { isNoChange } from '../parts/history.ts';
import { emptyState, pager, table, withQuery } from '../parts/table.ts';
import { told } from './case.ts';
import { caseLink, caseTable } from './cases.ts';
import { type ConsoleCall, can, consolePage, ifAvailable, userPath } from './console-page.ts';
import { languages } from './edit-user.ts';
import { listUrl } from './selection.ts';
import { reasonOf, userPill } from './states.ts';
import { resendNotes } from './users.ts';

const notes = {
  ...resendNotes,
  saved: 'The changes are saved.',
} as const;

/** One user: details, channels and why one is off, cases, and messages about their newest changes. */
const userPage = consolePage({
  method: 'GET',
  path: '/console/users/:user_id',
  scope: 'users:read',
  params: userPath,
  query: z.object({
    cursor: optionalText,
    done: z.enum(['resent', 'recent', 'limited', 'verified', 'saved']).optional(),
  }),
  async handle(call) {
    const { ask, params, query } = call;
    const [{ user }, suppressed, cases] = await Promise.all([
      ask('get_partner_user', { params }),
      ifAvailable(ask('list_suppressions', { query: params })),
      can(call, 'cases:read')
        ? ask('list_partner_cases', { query: { ...params, cursor: query.cursor, limit: '25' } })
        : null,
    ]);
    const main = html`${head(call, user)}
${query.done && notice(query.done === 'limited' ? 'warn' : 'good', notes[query.done])}
${details(call, user, suppressed?.suppressions ?? [])}
${cases && section('Cases', html`${caseTable(call, cases.cases, noCases)}${pager({ url: call.url, next: cases.next_cursor })}`, addCase(call, user))}
${cases && cases.cases.length > 0 && section('Messages', await userMessages(call, cases.cases))}
${can(call, 'audit') && html`<p><a href="/console/activity?object=user:${user.id}">Activity of this user</a></p>`}
${can(call, 'webhooks') && html`<p><a href="/console/events?user=${user.id}&amp;hours=720">Events about this user</a></p>`}
${can(call, 'users:write') && deletion(user, null)}`;
    return { title: 'User', main };
  },
});

const setStatus = (verb: 'activate' | 'deactivate') =>
  consolePage({
    method: 'POST',
    path: `/console/users/:user_id/${verb}`,
    scope: 'users:write',
    params: userPath,
    async handle({ ask, params }) {
      const status = verb === 'activate' ? 'active' : 'inactive';
      await ask('update_partner_user', { params, body: { status } });
      return { to: `/console/users/${params.user_id}?done=saved` };
    },
  });

const resendVerification = consolePage({
  method: 'POST',
  path: '/console/users/:user_id/resend-verification',
  scope: 'users:write',
  params: userPath,
  /** `back`: of a button in the list of users. */
  form: z.object({ back: optionalText }),
  async handle({ ask, params, form: { back } }) {
    const { user } = await ask('get_partner_user', { params });
    const body = { email: user.email };
    const done = await resend(async () => await ask('resend_partner_verification', { body }));
    const to = back === undefined ? `/console/users/${user.id}` : listUrl('/console/users', back);
    return { to: withQuery(to, { done }) };
  },
});

/** What became of it. A second press within the minute finds the mail of the first on its way; five a day are the limit. */
async function resend(
  ask: () => Promise<Success<'resend_partner_verification'>>,
): Promise<keyof typeof resendNotes> {
  try {
    const { verification_delivery, user } = await ask();
    if (verification_delivery?.status === 'queued') return 'resent';
    return user?.email_verified_at ? 'verified' : 'limited';
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error;
    return (error.retryAfterS ?? 0) <= 60 ? 'recent' : 'limited';
  }
}

/** The address must be typed: the deletion cannot be undone. */
const deleteUser = consolePage({
  method: 'POST',
  path: '/console/users/:user_id/delete',
  scope: 'users:write',
  params: userPath,
  form: z.object({ confirmation: z.string().trim() }),
  async handle({ ask, params, form: { confirmation } }) {
    const { user } = await ask('get_partner_user', { params });
    if (confirmation.toLowerCase() !== user.email.toLowerCase()) {
      throw new ApiError('validation_failed', { message: `Type ${user.email} to delete this user.` });
    }
    await ask('delete_partner_user', { params });
    return { to: '/console/users' };
  },
  async refused({ ask, params }, refusal) {
    const { user } = await ask('get_partner_user', { params });
    const back = { href: `/console/users/${user.id}`, text: user.name };
    return {
      title: 'Delete user',
      main: html`${pageHead({ title: 'Delete user', back })}${deletion(user, refusal)}`,
    };
  },
});

export const userPages = [
  userPage,
  setStatus('activate'),
  setStatus('deactivate'),
  resendVerification,
  deleteUser,
];

const noCases = emptyState({
  title: 'No cases yet',
  text: 'A case is a receipt number that we monitor for this user. Messages begin with its first change.',
});

type User = Success<'get_partner_user'>['user'];

function head(call: ConsoleCall, user: User): Markup {
  const path = `/console/users/${user.id}`;
  const toggle = user.status === 'active' ? 'deactivate' : 'activate';
  const actions = html`<a class="button" href="${path}/edit">Edit</a>
${user.email_verified_at === null && buttonForm(`${path}/resend-verification`, 'Resend verification')}
${user.status !== 'suspended' && buttonForm(`${path}/${toggle}`, toggle === 'activate' ? 'Activate' : 'Deactivate')}`;
  return pageHead({
    back: { href: '/console/users', text: 'Users' },
    title: user.name,
    sub: user.email,
    aside: html`${userPill(user.status)}${can(call, 'users:write') && actions}`,
  });
}

function addCase(call: ConsoleCall, user: User): Markup | null {
  if (!can(call, 'cases:write') || user.status !== 'active') return null;
  return html`<a class="button primary" href="/console/users/${user.id}/cases/new">Add a case</a>`;
}

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

type Case = Success<'list_partner_cases'>['cases'][number];

/** Cases whose messages are read: those that changed last. */
const readCases = 10;
const shownChanges = 10;

/** What a user was told of the newest changes, by which channel and when. `cases`: of this user. */
async function userMessages(call: ConsoleCall, cases: readonly Case[]): Promise<Markup> {
  const changed = cases
    .flatMap((row) => (row.latest_update ? [{ row, at: row.latest_update.timestamp }] : []))
    .toSorted(newestFirst)
    .slice(0, readCases);
  const changes = await Promise.all(changed.map(({ row }) => changesOf(call, row)));
  const newest = changes.flat().toSorted(newestFirst).slice(0, shownChanges);
  return table({
    caption: 'Messages',
    head: ['Case', 'Status', 'Who was told', 'Changed'],
    rows: newest.map(({ row, update, at }) => [
      caseLink(row),
      update.status_code,
      told(call.times, update),
      call.times.ago(at),
    ]),
    empty: emptyState({
      title: 'No messages yet',
      text: 'The first status of a case sends no message. Each change after it does.',
    }),
  });
}

async function changesOf({ ask }: ConsoleCall, row: Case) {
  const params = { case_ref: row.user_case_id };
  const { status_updates } = await ask('get_partner_case', { params, query: {} });
  return status_updates
    .filter((update) => update.kind !== 'baseline' && !isNoChange(update))
    .map((update) => ({ row, update, at: update.timestamp }));
}

function newestFirst(one: { at: string }, other: { at: string }): number {
  return other.at.localeCompare(one.at);
}

function deletion(user: User, refusal: Refusal | null): Markup {
  const content = field({
    name: 'confirmation',
    label: `Type ${user.email} to confirm`,
    isRequired: true,
    refusal,
  });
  return section(
    'Delete this user',
    disclosure({
      summary: 'Delete user…',
      summaryTone: 'bad',
      text: 'This deletes the user with all cases and messages. This cannot be undone.',
      action: `/console/users/${user.id}/delete`,
      content,
      button: 'Delete user',
      tone: 'danger',
      refusal,
    }),
  );
}
