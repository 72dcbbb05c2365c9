import { type Alerts, alertCategories, language, type Success } from '@casewatch/contracts';
import { ApiError, html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal, View } from '../page.ts';
import { notice, pageHead, section } from '../parts/blocks.ts';
import {
  changedFields,
  checkbox,
  checkboxes,
  checked,
  field,
  form,
  isEmpty,
  optionalDay,
  optionalText,
  type Shown,
  select,
  several,
  shownFields,
} from '../parts/form.ts';
import { dateOf, startOfDay } from '../parts/time.ts';
import { categoryChoices } from './cases.ts';
import { type ConsoleCall, consolePage } from './console-page.ts';
import { languageChoices } from './edit-user.ts';
import { memberExportSection } from './member-export.ts';

// What a member hears by mail, and until when the member is away: the own page, and the fields that owners have for a colleague and for
// members to come.

type Member = Success<'get_staff_member'>['staff_member'];

/** What `immediate` is, in one choice; `chosen`: the boxes below it. */
const immediateChoices = [
  { value: 'urgent', text: 'Urgent changes' },
  { value: 'all', text: 'All changes' },
  { value: 'chosen', text: 'What I choose below' },
  { value: 'none', text: 'Nothing' },
] as const;

const scopeChoices = [
  { value: 'mine', text: 'Own cases and those of nobody' },
  { value: 'all', text: 'All cases' },
];

const digestChoices = [
  { value: 'weekdays', text: 'From Monday to Friday' },
  { value: 'daily', text: 'Every day' },
  { value: 'off', text: 'Never' },
];

/** A field of the type time; some browsers add seconds. */
const time = z.string().transform((text) => text.slice(0, 5));

export const alertsForm = z
  .object({
    immediate: z.enum(['urgent', 'all', 'chosen', 'none']),
    categories: several,
    scope: z.enum(['mine', 'all']),
    digest: z.enum(['weekdays', 'daily', 'off']),
    digest_at: time,
    quiet: checked,
    quiet_from: time,
    quiet_to: time,
    shown: shownFields,
  })
  // Saved without a box it would mean *Nothing*, which has a choice of its own.
  .refine(({ immediate, categories }) => immediate !== 'chosen' || categories.length > 0, {
    path: ['categories'],
    message: 'Choose at least one kind of change, or choose Nothing.',
  });

type PostedAlerts = z.output<typeof alertsForm>;

/** Of what was posted, the alerts that somebody changed, as the operations take them; undefined: none. */
export function changedAlerts(posted: PostedAlerts): Partial<Alerts> | undefined {
  const alerts = changedFields(alertsOfForm(posted), posted.shown);
  return isEmpty(alerts) ? undefined : alerts;
}

/** As the operations take it, which judge the values. */
export function alertsOfForm(posted: PostedAlerts): Alerts {
  const { immediate, categories, scope, digest, digest_at, quiet, quiet_from, quiet_to } = posted;
  const of = { urgent: ['urgent'], all: [...alertCategories], chosen: categories, none: [] };
  const quiet_hours = quiet ? { from: quiet_from, to: quiet_to } : null;
  return { immediate: of[immediate], scope, digest, digest_at, quiet_hours };
}

function immediateOf(immediate: Alerts['immediate']): (typeof immediateChoices)[number]['value'] {
  if (immediate.length === 0) return 'none';
  if (immediate.length === alertCategories.length) return 'all';
  return immediate.length === 1 && immediate[0] === 'urgent' ? 'urgent' : 'chosen';
}

export function alertFields(alerts: Alerts, refusal: Refusal | null): Markup {
  const quiet = alerts.quiet_hours;
  const immediate = immediateOf(alerts.immediate);
  const isOpen = (refusal?.posted.immediate ?? immediate) === 'chosen';
  const urgent = { value: 'urgent', text: 'Urgent, of each category' };
  const named = categoryChoices().filter(({ value }) => value !== '');
  return html`${select({ name: 'immediate', label: 'Immediate e-mails', value: immediate, choices: immediateChoices, hint: 'The first comes immediately; what follows within two minutes comes in one e-mail. An urgent change that would reach nobody else always comes.', refusal })}
<details class="field"${isOpen && html` open`}><summary>Choose categories</summary>
${checkboxes({ name: 'categories', label: 'With “What I choose below”', chosen: alerts.immediate, choices: [urgent, ...named], refusal })}</details>
${select({ name: 'scope', label: 'Which cases', value: alerts.scope, choices: scopeChoices, refusal })}
${select({ name: 'digest', label: 'Summary', value: alerts.digest, choices: digestChoices, hint: 'Changes that nobody has looked at, days for answers, and clients who cannot be reached.', refusal })}
${field({ name: 'digest_at', label: 'Time of the summary', type: 'time', value: alerts.digest_at, isRequired: true, refusal })}
${checkbox({ name: 'quiet', label: 'Quiet hours', isChecked: quiet !== null, hint: 'What is not urgent waits for their end.', refusal })}
${field({ name: 'quiet_from', label: 'Quiet from', type: 'time', value: quiet?.from ?? '20:00', isRequired: true, refusal })}
${field({ name: 'quiet_to', label: 'Quiet until', type: 'time', value: quiet?.to ?? '07:00', isRequired: true, refusal })}`;
}

/** The first day back; empty: not away. It begins in the zone of the member. */
export const memberAlertsForm = alertsForm.safeExtend({ away_until: optionalDay });

/** The day of an absence, which a program may have set to a moment of the day. Null: not away. */
function awayDay({ away_until }: Pick<Member, 'away_until'>, zone: string): string | null {
  // sv: the only language whose short form is `2026-11-23`.
  return away_until && dateOf(away_until).toLocaleDateString('sv', { timeZone: zone });
}

export function awayField(member: Member, zone: string, refusal: Refusal | null): Markup {
  const day = awayDay(member, zone);
  const hint = `The first day back, in the time zone ${zone}. Until then the owners hear what the member would hear. Empty: not away.`;
  return field({ name: 'away_until', label: 'Away until', type: 'date', value: day, hint, refusal });
}

export function awayOfForm(day: string | null, zone: string): string | null {
  return day && startOfDay(day, zone).toISOString();
}

/** What the fields of a member's alerts and absence have now. */
export function shownAlerts(member: Member, zone: string): Shown {
  return { ...member.alerts, away_until: awayDay(member, zone) };
}

/** Saves the alerts and the absence that somebody changed. A day that was not changed keeps its time of the day. */
export async function saveMemberAlerts(
  { ask, form }: ConsoleCall<unknown, unknown, z.output<typeof memberAlertsForm>>,
  member: Member,
): Promise<void> {
  const alerts = changedAlerts(form);
  const { away_until: day } = changedFields({ away_until: form.away_until ?? null }, form.shown);
  if (alerts === undefined && day === undefined) return;
  const away = day === undefined ? {} : { away_until: awayOfForm(day, await zoneOfMember({ ask }, member)) };
  const params = { staff_id: String(member.id) };
  await ask('update_staff_member', { params, body: { ...(alerts && { alerts }), ...away } });
}

/** The zone in which a member's times are. */
export async function zoneOfMember(
  { ask }: Pick<ConsoleCall, 'ask'>,
  { time_zone }: Member,
): Promise<string> {
  return time_zone ?? (await ask('get_profile')).client.time_zone ?? 'UTC';
}

/** @throws ApiError insufficient_role for the console of a key, which has no member */
function ownParams({ session }: Pick<ConsoleCall, 'session'>) {
  const { staff_id } = session.principal;
  if (staff_id !== undefined) return { staff_id: String(staff_id) };
  throw new ApiError('insufficient_role', {
    message: 'This page is for members of the staff, who sign in themselves.',
  });
}

const alertsPage = consolePage({
  method: 'GET',
  path: '/console/alerts',
  // Every member has alerts, and can see cases.
  scope: 'cases:read',
  query: z.object({ done: optionalText }),
  handle: async (call) => await alertsView(call, null, call.query.done !== undefined),
});

const saveAlerts = consolePage({
  method: 'POST',
  path: '/console/alerts',
  scope: 'cases:read',
  form: memberAlertsForm,
  async handle(call) {
    const { staff_member } = await call.ask('get_staff_member', { params: ownParams(call) });
    await saveMemberAlerts(call, staff_member);
    return { to: '/console/alerts?done=saved' };
  },
  refused: async (call, refusal) => await alertsView(call, { alerts: refusal }, false),
});

const saveSelf = consolePage({
  method: 'POST',
  path: '/console/alerts/me',
  scope: 'cases:read',
  form: z.object({
    name: z.string(),
    language,
    time_zone: optionalText.transform((text) => text ?? null),
    shown: shownFields,
  }),
  async handle(call) {
    const { shown, ...fields } = call.form;
    const params = ownParams(call);
    const body = changedFields(fields, shown);
    if (!isEmpty(body)) await call.ask('update_staff_member', { params, body });
    return { to: '/console/alerts?done=saved' };
  },
  refused: async (call, refusal) => await alertsView(call, { self: refusal }, false),
});

export const alertPages = [alertsPage, saveAlerts, saveSelf];

/** The console of a key has no member. */
const ofKeyView: View = {
  title: 'Alerts',
  main: html`${pageHead({ title: 'Alerts', sub: 'What each member of the staff hears by e-mail.' })}
<p>Members who sign in themselves change their alerts here. This console was opened with an API key.</p>`,
};

type Refusals = { readonly alerts?: Refusal; readonly self?: Refusal };

async function alertsView(call: ConsoleCall, refusals: Refusals | null, isSaved: boolean): Promise<View> {
  if (call.session.principal.staff_id === undefined) return ofKeyView;
  const params = ownParams(call);
  const { staff_member: member } = await call.ask('get_staff_member', { params });
  const zone = await zoneOfMember(call, member);
  const { alerts: refused = null, self = null } = refusals ?? {};
  const fields = html`${alertFields(member.alerts, refused)}
${awayField(member, zone, refused)}`;
  const own = html`${field({ name: 'name', label: 'Full name', value: member.name, isRequired: true, refusal: self })}
${select({ name: 'language', label: 'Language of e-mails', value: member.language, choices: languageChoices, refusal: self })}
${field({ name: 'time_zone', label: 'Time zone', value: member.time_zone, hint: `For example America/Chicago. Empty: the one of your organization. Times are now in ${zone}.`, refusal: self })}`;
  const { name, language, time_zone } = member;
  const main = html`${pageHead({ title: 'Alerts', sub: `What you hear by e-mail, at ${member.email}.` })}
${isSaved && notice('good', 'The changes are saved.')}
${form({ action: '/console/alerts', content: fields, button: 'Save alerts', refusal: refused, shown: shownAlerts(member, zone) })}
${section('You', form({ action: '/console/alerts/me', content: own, button: 'Save', refusal: self, shown: { name, language, time_zone } }))}
${section('Your calendar', html`<p>The days for answers, in your calendar program: <a href="/console/sessions">make a secret address</a>.</p>`)}
${memberExportSection(member.id)}`;
  return { title: 'Alerts', main };
}
