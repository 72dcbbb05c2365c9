import { type Alerts, alertCategories, language, type Success } from '@casewatch/contracts';
import { ApiError, html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal, View } from '../page.ts';
import { notice, pageHead, section } from '../parts/blocks.ts';
import {
  checkbox,
  checkboxes,
  checked,
  field,
  form,
  optionalDay,
  optionalText,
  select,
  several,
} from '../parts/form.ts';
import { startOfDay } from '../parts/time.ts';
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

export const alertsForm = z.object({
  immediate: z.enum(['urgent', 'all', 'chosen', 'none']),
  categories: several,
  scope: z.enum(['mine', 'all']),
  digest: z.enum(['weekdays', 'daily', 'off']),
  digest_at: time,
  quiet: checked,
  quiet_from: time,
  quiet_to: time,
});

/** As the operations take it, which judge the values. */
export function alertsOfForm(posted: z.output<typeof alertsForm>) {
  const { immediate, categories, scope, digest, digest_at, quiet, quiet_from, quiet_to } = posted;
  const of = { urgent: ['urgent'], all: [...alertCategories], chosen: categories, none: [] };
  const quiet_hours = quiet ? { from: quiet_from, to: quiet_to } : null;
  return { immediate: of[immediate], scope, digest, digest_at, quiet_hours } as Alerts;
}

function immediateOf(immediate: Alerts['immediate']): (typeof immediateChoices)[number]['value'] {
  if (immediate.length === 0) return 'none';
  if (immediate.length === alertCategories.length) return 'all';
  return immediate.length === 1 && immediate[0] === 'urgent' ? 'urgent' : 'chosen';
}

export function alertFields(alerts: Alerts, refusal: Refusal | null): Markup {
  const quiet = alerts.quiet_hours;
  const urgent = { value: 'urgent', text: 'Urgent, of each category' };
  const named = categoryChoices().filter(({ value }) => value !== '');
  return html`${select({ name: 'immediate', label: 'Immediate e-mails', value: immediateOf(alerts.immediate), choices: immediateChoices, hint: 'The first comes immediately; what follows within two minutes comes in one e-mail. An urgent change that would reach nobody else always comes.', refusal })}
<details class="field"${immediateOf(alerts.immediate) === 'chosen' && html` open`}><summary>Choose categories</summary>
${checkboxes({ name: 'categories', label: 'With “What I choose below”', chosen: alerts.immediate, choices: [urgent, ...named], refusal })}</details>
${select({ name: 'scope', label: 'Which cases', value: alerts.scope, choices: scopeChoices, refusal })}
${select({ name: 'digest', label: 'Summary', value: alerts.digest, choices: digestChoices, hint: 'Changes that nobody has looked at, days for answers, and clients who cannot be reached.', refusal })}
${field({ name: 'digest_at', label: 'Time of the summary', type: 'time', value: alerts.digest_at, isRequired: true, refusal })}
${checkbox({ name: 'quiet', label: 'Quiet hours', isChecked: quiet !== null, hint: 'What is not urgent waits for their end.', refusal })}
${field({ name: 'quiet_from', label: 'Quiet from', type: 'time', value: quiet?.from ?? '20:00', isRequired: true, refusal })}
${field({ name: 'quiet_to', label: 'Quiet until', type: 'time', value: quiet?.to ?? '07:00', isRequired: true, refusal })}`;
}

/** The first day back; empty: not away. It begins in the zone of the member. */
export const awayForm = { away_until: optionalDay };

export function awayField(member: Member, zone: string, refusal: Refusal | null): Markup {
  const { away_until } = member;
  // sv: the only language whose short form is `2026-11-23`.
  const day =
    away_until && new Date(`${away_until.replace(' ', 'T')}Z`).toLocaleDateString('sv', { timeZone: zone });
  const hint = `The first day back, in the time zone ${zone}. Until then the owners hear what the member would hear. Empty: not away.`;
  return field({ name: 'away_until', label: 'Away until', type: 'date', value: day, hint, refusal });
}

export function awayOfForm(day: string | undefined, zone: string): string | null {
  return day === undefined ? null : startOfDay(day, zone).toISOString();
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
  form: alertsForm.extend(awayForm),
  async handle(call) {
    const params = ownParams(call);
    const { staff_member } = await call.ask('get_staff_member', { params });
    const away_until = awayOfForm(call.form.away_until, await zoneOfMember(call, staff_member));
    await call.ask('update_staff_member', { params, body: { alerts: alertsOfForm(call.form), away_until } });
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
  }),
  async handle(call) {
    await call.ask('update_staff_member', { params: ownParams(call), body: call.form });
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
  const main = html`${pageHead({ title: 'Alerts', sub: `What you hear by e-mail, at ${member.email}.` })}
${isSaved && notice('good', 'The changes are saved.')}
${form({ action: '/console/alerts', content: fields, button: 'Save alerts', refusal: refused })}
${section('You', form({ action: '/console/alerts/me', content: own, button: 'Save', refusal: self }))}
${section('Your calendar', html`<p>The days for answers, in your calendar program: <a href="/console/sessions">make a secret address</a>.</p>`)}
${memberExportSection(member.id)}`;
  return { title: 'Alerts', main };
}
