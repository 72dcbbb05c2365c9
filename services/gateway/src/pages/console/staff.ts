import { idText, language, type Success, staffRole, staffRoles } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal, View } from '../page.ts';
import { facts, notice, pageHead, pill, section } from '../parts/blocks.ts';
import {
  buttonForm,
  changedFields,
  disclosure,
  field,
  form,
  isEmpty,
  optionalText,
  select,
  shownFields,
} from '../parts/form.ts';
import { emptyState, pager, table } from '../parts/table.ts';
import {
  alertFields,
  awayField,
  memberAlertsForm,
  saveMemberAlerts,
  shownAlerts,
  zoneOfMember,
} from './alerts.ts';
import { type ConsoleCall, can, consoleForm, consolePage } from './console-page.ts';
import { languageChoices } from './edit-user.ts';
import { memberExportSection } from './member-export.ts';

const staffPath = z.object({ staff_id: idText });
const staffBack = { href: '/console/staff', text: 'Staff' };

type Member = Success<'list_staff'>['staff'][number];

const notes = {
  invited: 'The invitation is on its way. Its link works once, for 7 days.',
  saved: 'The changes are saved.',
  void: 'The changes are saved. The invitation no longer works: send a new one.',
  removed: 'The member was removed and has no access any more.',
  reset: 'The second factor was removed. The member is signed out everywhere and told by e-mail.',
} as const;
const done = z.object({ done: z.enum(['invited', 'saved', 'void', 'removed', 'reset']).optional() });

const staffList = consolePage({
  method: 'GET',
  path: '/console/staff',
  scope: 'staff',
  query: done.extend({ cursor: optionalText }),
  async handle(call) {
    const { cursor, done } = call.query;
    const answer = await call.ask('list_staff', { query: { cursor } });
    const add = html`<a class="button primary" href="/console/staff/new">Invite a member</a>`;
    const main = html`${pageHead({ title: 'Staff', sub: 'Who works in this console, and what each may do.', aside: add })}
${done && notice('good', notes[done])}
${table({
  caption: 'Staff',
  head: ['Member', 'Role', 'State', 'Second factor', 'Last seen'],
  rows: answer.staff.map((member) => memberRow(call, member)),
  empty: emptyState({ title: 'Nobody yet', text: 'Invite the people who work on cases.', action: add }),
})}
${pager({ url: call.url, next: answer.next_cursor })}`;
    return { title: 'Staff', main };
  },
});

const invite = consoleForm({
  path: '/console/staff/new',
  scope: 'staff',
  form: z.object({
    name: z.string(),
    email: z.string(),
    role: staffRole,
    language: language.default('en'),
    idempotency_key: optionalText,
  }),
  async handle({ ask, form: { idempotency_key, ...body } }) {
    await ask('invite_staff_member', { body, idempotencyKey: idempotency_key });
    return { to: '/console/staff?done=invited' };
  },
  async view(_call, refusal) {
    const content = html`${field({ name: 'name', label: 'Full name', isRequired: true, refusal })}
${field({ name: 'email', label: 'E-mail address', type: 'email', isRequired: true, refusal })}
${roleField('viewer', refusal)}
${languageField('en', refusal)}`;
    const sub = 'The invitation goes to this address and works for this address alone.';
    const main = html`${pageHead({ title: 'Invite a member', sub, back: staffBack })}
${form({ action: '/console/staff/new', content, button: 'Send invitation', refusal, isOnce: true })}`;
    return { title: 'Invite a member', main };
  },
});

const memberForm = z.object({
  name: z.string(),
  role: staffRole,
  language: language.default('en'),
  shown: shownFields,
});

const memberPages = consoleForm({
  path: '/console/staff/:staff_id',
  scope: 'staff',
  params: staffPath,
  form: memberForm,
  async handle({ ask, params, form: { shown, ...fields } }) {
    const body = changedFields(fields, shown);
    if (isEmpty(body)) return { to: '/console/staff?done=saved' };
    const { staff_member } = await ask('update_staff_member', { params, body });
    const note = staff_member.status === 'invited' ? 'void' : 'saved';
    return { to: `/console/staff?done=${note}` };
  },
  view: async (call, refusal) => await memberView(call, refusal ? { member: refusal } : {}),
});

/** What a colleague hears, for example one who is ill. */
const saveAlerts = consolePage({
  method: 'POST',
  path: '/console/staff/:staff_id/alerts',
  scope: 'staff',
  params: staffPath,
  form: memberAlertsForm,
  async handle(call) {
    const { staff_member: member } = await call.ask('get_staff_member', { params: call.params });
    await saveMemberAlerts(call, member);
    return { to: `/console/staff?done=${member.status === 'invited' ? 'void' : 'saved'}` };
  },
  refused: async (call, refusal) => await memberView(call, { alerts: refusal }),
});

const setStatus = (verb: 'enable' | 'disable') =>
  consolePage({
    method: 'POST',
    path: `/console/staff/:staff_id/${verb}`,
    scope: 'staff',
    params: staffPath,
    async handle({ ask, params }) {
      const status = verb === 'enable' ? 'active' : 'disabled';
      await ask('update_staff_member', { params, body: { status } });
      return { to: '/console/staff?done=saved' };
    },
  });

const inviteAgain = consolePage({
  method: 'POST',
  path: '/console/staff/:staff_id/invite',
  scope: 'staff',
  params: staffPath,
  async handle({ ask, params }) {
    const { staff_member } = await ask('get_staff_member', { params });
    const { email, name, role, language, time_zone } = staff_member;
    await ask('invite_staff_member', { body: { email, name, role, language, time_zone, resend: true } });
    return { to: '/console/staff?done=invited' };
  },
});

const remove = consolePage({
  method: 'POST',
  path: '/console/staff/:staff_id/remove',
  scope: 'staff',
  params: staffPath,
  form: z.object({ reassign_to: optionalText }),
  async handle({ ask, params, form: { reassign_to } }) {
    await ask('remove_staff_member', { params, query: { reassign_to } });
    return { to: '/console/staff?done=removed' };
  },
});

const resetFactor = consolePage({
  method: 'POST',
  path: '/console/staff/:staff_id/reset-second-factor',
  scope: 'staff',
  params: staffPath,
  async handle({ ask, params }) {
    await ask('reset_second_factor', { params });
    return { to: '/console/staff?done=reset' };
  },
});

export const staffPages = [
  staffList,
  ...invite,
  ...memberPages,
  saveAlerts,
  setStatus('enable'),
  setStatus('disable'),
  inviteAgain,
  resetFactor,
  remove,
];

type MemberCall = ConsoleCall<z.output<typeof staffPath>>;
type Refusals = { readonly member?: Refusal; readonly alerts?: Refusal };

async function memberView(call: MemberCall, refusals: Refusals): Promise<View> {
  const { member: refusal = null, alerts: refused = null } = refusals;
  const { ask, params, times } = call;
  const [{ staff_member: member }, { staff }] = await Promise.all([
    ask('get_staff_member', { params }),
    ask('list_staff', { query: { limit: '100' } }),
  ]);
  const path = `/console/staff/${member.id}`;
  const zone = await zoneOfMember(call, member);
  const alerts = html`${alertFields(member.alerts, refused)}
${awayField(member, zone, refused)}`;
  const { name, role, language } = member;
  const content = html`${field({ name: 'name', label: 'Full name', value: name, isRequired: true, refusal })}
${roleField(role, refusal)}
${languageField(language, refusal)}`;
  const main = html`${pageHead({ title: member.name, sub: member.email, back: staffBack, aside: html`${stateOf(member)}${accessForm(path, member)}` })}
<div class="card">${facts([
    ['Last seen', times.ago(member.last_seen_at)],
    ['Second factor', member.second_factor ? 'On' : 'Off'],
    ['Invited', times.day(member.created_at)],
    can(call, 'audit')
      ? ['Activity', html`<a href="/console/activity?actor=staff:${member.id}">What ${member.name} did</a>`]
      : null,
  ])}</div>
${section('Change', form({ action: path, content, button: 'Save', refusal, shown: { name, role, language } }))}
${section('Alerts', form({ action: `${path}/alerts`, content: alerts, button: 'Save alerts', refusal: refused, shown: shownAlerts(member, zone) }))}
${member.second_factor && section('Second factor', factorReset(member))}
${memberExportSection(member.id)}
${section('Remove', removal(member, staff))}`;
  return { title: member.name, main };
}

function memberRow({ times, session }: ConsoleCall, member: Member) {
  const isSelf = session.principal.staff_id === member.id;
  return [
    html`<a href="/console/staff/${member.id}">${member.name}</a>${isSelf && ' (you)'}<span class="under">${member.email}</span>`,
    member.role,
    stateOf(member),
    member.second_factor ? 'On' : html`<span class="quiet">Off</span>`,
    times.ago(member.last_seen_at),
  ];
}

function stateOf({ status }: Pick<Member, 'status'>): Markup {
  if (status === 'active') return pill('good', 'Active');
  return status === 'invited' ? pill('info', 'Invited') : pill('idle', 'No access');
}

function accessForm(path: string, { status }: Pick<Member, 'status'>): Markup {
  if (status === 'invited') return buttonForm(`${path}/invite`, 'Send a new invitation');
  return status === 'active'
    ? buttonForm(`${path}/disable`, 'Take away access')
    : buttonForm(`${path}/enable`, 'Give access again');
}

/** What each role may do, in the words of the people who choose one. */
const roleTexts = {
  owner: 'Owner: everything, with members, keys and settings',
  editor: 'Editor: people and cases',
  viewer: 'Viewer: reads people and cases',
} as const;

function roleField(value: Member['role'], refusal: Refusal | null): Markup {
  const choices = staffRoles.map((role) => ({ value: role, text: roleTexts[role] }));
  return select({ name: 'role', label: 'Role', value, choices, refusal });
}

function languageField(value: Member['language'], refusal: Refusal | null): Markup {
  return select({ name: 'language', label: 'Language of mails', value, choices: languageChoices, refusal });
}

function factorReset({ id, name }: Pick<Member, 'id' | 'name'>): Markup {
  return disclosure({
    summary: 'Reset…',
    text: `For somebody who lost the app and the recovery codes: make sure that it is ${name} who asks. ${name} is signed out everywhere, and told by e-mail.`,
    action: `/console/staff/${id}/reset-second-factor`,
    button: 'Remove the second factor',
    tone: 'danger',
  });
}

function removal(member: Pick<Member, 'id' | 'name'>, staff: readonly Member[]): Markup {
  const others = staff.filter(({ id, status }) => id !== member.id && status !== 'disabled');
  const choices = [
    { value: '', text: 'Nobody' },
    ...others.map(({ id, name }) => ({ value: String(id), text: name })),
  ];
  return disclosure({
    summary: 'Remove…',
    summaryTone: 'bad',
    text: `${member.name} is signed out everywhere within 2 seconds. What ${member.name} did stays in the activity, with the name; the e-mail address is deleted after 30 days.`,
    action: `/console/staff/${member.id}/remove`,
    content: select({ name: 'reassign_to', label: 'Who gets the cases', value: '', choices }),
    button: 'Remove member',
    tone: 'danger',
  });
}
