import { type LogoFault, type SecondFactorRule, type Success, secondFactorRule } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../page.ts';
import { countText, facts, logo, notice, pageHead, section, stats } from '../parts/blocks.ts';
import {
  changedFields,
  checkbox,
  checked,
  field,
  form,
  isEmpty,
  optionalText,
  type Shown,
  select,
  shownFields,
} from '../parts/form.ts';
import { alertFields, alertsForm, changedAlerts } from './alerts.ts';
import { type ConsoleCall, can, consolePage, ifAvailable } from './console-page.ts';

const settingsPage = consolePage({
  method: 'GET',
  path: '/console/settings',
  scope: 'profile:read',
  query: z.object({ done: optionalText }),
  handle: async (call) => await settingsView(call, {}, call.query.done !== undefined),
});

/** An empty field empties the setting. */
const orNull = optionalText.transform((text) => text ?? null);

const saveLogo = consolePage({
  method: 'POST',
  path: '/console/settings',
  scope: 'profile:write',
  form: z.object({ logo_url: orNull, shown: shownFields }),
  async handle({ ask, form: { logo_url, shown } }) {
    if (!isEmpty(changedFields({ logo_url }, shown))) await ask('update_logo', { body: { logo_url } });
    return { to: '/console/settings?done=saved' };
  },
  refused: async (call, logo) => await settingsView(call, { logo }, false),
});

const saveProfile = consolePage({
  method: 'POST',
  path: '/console/settings/profile',
  scope: 'settings',
  form: z.object({
    reply_to: orNull,
    support_contact: orNull,
    case_url: orNull,
    time_zone: orNull,
    calendar_addresses: checked,
    shown: shownFields,
  }),
  async handle({ ask, form: { shown, ...fields } }) {
    const body = changedFields(fields, shown);
    if (!isEmpty(body)) await ask('update_profile', { body });
    return { to: '/console/settings?done=saved' };
  },
  refused: async (call, profile) => await settingsView(call, { profile }, false),
});

const saveSecondFactor = consolePage({
  method: 'POST',
  path: '/console/settings/second-factor',
  scope: 'settings',
  form: z.object({ second_factor: secondFactorRule, shown: shownFields }),
  async handle({ ask, form: { shown, ...fields } }) {
    const body = changedFields(fields, shown);
    if (!isEmpty(body)) await ask('update_profile', { body });
    return { to: '/console/settings?done=saved' };
  },
  refused: async (call, factor) => await settingsView(call, { factor }, false),
});

const saveAlerts = consolePage({
  method: 'POST',
  path: '/console/settings/alerts',
  scope: 'settings',
  form: alertsForm.safeExtend({ names_in_mails: checked }),
  async handle({ ask, form }) {
    const { names_in_mails, shown } = form;
    const alerts = changedAlerts(form);
    const body = {
      ...changedFields({ names_in_mails }, shown),
      ...(alerts && { new_member_alerts: alerts }),
    };
    if (!isEmpty(body)) await ask('update_profile', { body });
    return { to: '/console/settings?done=saved' };
  },
  refused: async (call, alerts) => await settingsView(call, { alerts }, false),
});

export const settingsPages = [settingsPage, saveLogo, saveProfile, saveSecondFactor, saveAlerts];

/** Who must have one. */
const factorRules: Readonly<Record<SecondFactorRule, string>> = {
  none: 'Nobody',
  owners: 'Owners',
  all: 'All members',
};

/** Sentences after “Users see no logo:”. */
const faults: Readonly<Record<LogoFault, string>> = {
  address_not_allowed:
    'its host has no public address. The address must begin with https:// and lead to a public server.',
  not_reachable: 'we could not fetch it. Check that the address works, then save again.',
  redirect: 'its address redirects. Enter the address of the picture itself.',
  too_large: 'it is larger than 200 KiB.',
  not_an_image: 'it is neither a PNG, a JPEG nor a WebP. An SVG cannot be used.',
};

/** Of each form of the page. One that was not sent has no part in the refusal of another. */
type Refusals = Partial<Record<'logo' | 'profile' | 'factor' | 'alerts', Refusal>>;

async function settingsView(call: ConsoleCall, refusals: Refusals, isSaved: boolean) {
  const { ask, times } = call;
  const { logo: logoRefusal = null, profile = null, factor = null, alerts = null } = refusals;
  const [{ client }, endpoints] = await Promise.all([
    ask('get_profile'),
    can(call, 'webhooks') ? ifAvailable(ask('list_webhooks', { query: { limit: '100' } })) : null,
  ]);
  const { limits } = client;
  const logoField = field({
    name: 'logo_url',
    label: 'Address of the logo',
    type: 'url',
    value: client.logo_url,
    hint: 'Users see the logo in e-mails and on pages. An https address of a PNG, JPEG or WebP of at most 200 KiB; we fetch it once. Empty: no logo.',
    refusal: logoRefusal,
  });
  const main = html`${pageHead({ title: 'Settings' })}
${isSaved && notice('good', 'The changes are saved.')}
${client.logo_fault && notice('warn', `Users see no logo: ${faults[client.logo_fault]}`)}
<div class="card">${facts([
    ['Name', client.name],
    ['E-mail address', client.email],
    ['Partner since', times.day(client.created_at)],
    ['Logo', html`${logo(client.shown_logo_url)}${client.logo_url ?? 'None'}`],
    [
      'Reply-to address',
      html`${client.reply_to ?? 'None'}${client.pending_reply_to && html`<span class="under">${client.pending_reply_to} is not confirmed yet; we have sent an e-mail to it.</span>`}`,
    ],
    ['Support contact', client.support_contact ?? 'None'],
    ['Link to a case', client.case_url ?? 'None'],
    ['Mails', html`<a href="/console/mails">What your users get</a>`],
    ['Second factor required', factorRules[client.second_factor]],
    ['Messages to unverified addresses', client.notify_unverified ? 'Sent' : 'Not sent'],
  ])}
<p class="small quiet">The operator of Casewatch changes the name, the e-mail address and messages to unverified addresses.</p></div>
${call.session.principal.staff_id !== undefined && section('Your sign-in', html`<p><a href="/console/sessions">Where you are signed in</a> · <a href="/console/second-factor">Your second factor</a></p>`)}
${can(call, 'profile:write') && section('Logo', form({ action: '/console/settings', content: logoField, button: 'Save', refusal: logoRefusal, shown: shownLogo(client) }))}
${can(call, 'settings') && section('What clients see', form({ action: '/console/settings/profile', content: profileFields(client, profile), button: 'Save settings', refusal: profile, shown: shownProfile(client) }))}
${can(call, 'settings') && section('Sign-in of members', form({ action: '/console/settings/second-factor', content: factorField(client, factor), button: 'Save sign-in', refusal: factor, shown: { second_factor: client.second_factor } }))}
${can(call, 'settings') && section('Alerts of members', form({ action: '/console/settings/alerts', content: memberAlertFields(client, alerts), button: 'Save alerts', refusal: alerts, shown: { ...client.new_member_alerts, names_in_mails: client.names_in_mails } }))}
${section(
  'In use',
  stats([
    { label: 'Users', value: countText(client.user_count, client.user_count_is_exact) },
    { label: 'Cases', value: countText(client.case_count, client.case_count_is_exact) },
    ...(endpoints
      ? [{ label: 'Webhook endpoints', value: `${endpoints.webhooks.length} of ${limits.webhooks}` }]
      : []),
  ]),
)}
${section(
  'Limits',
  stats([
    { label: 'Requests in a minute, at most', value: limits.requests_per_minute },
    { label: 'Webhook endpoints, at most', value: limits.webhooks },
    { label: 'Active cases of one user, at most', value: limits.active_cases_per_user },
    { label: 'Live checks in a day, at most', value: limits.live_checks_per_day ?? '–' },
  ]),
)}`;
  return { title: 'Settings', main };
}

type Client = Success<'get_profile'>['client'];

/** Where fetching the logo failed, saving the same address tries again: then nothing counts as shown. */
function shownLogo({ logo_url, logo_fault }: Client): Shown {
  return logo_fault === null ? { logo_url } : {};
}

function shownProfile(client: Client): Shown {
  const { support_contact, case_url, time_zone, calendar_addresses } = client;
  return { reply_to: replyToOf(client), support_contact, case_url, time_zone, calendar_addresses };
}

/** One that is not confirmed yet is what was typed last. */
function replyToOf({ pending_reply_to, reply_to }: Client): string | null {
  return pending_reply_to ?? reply_to;
}

function profileFields(client: Client, refusal: Refusal | null): Markup {
  return html`${field({ name: 'reply_to', label: 'Reply-to address', type: 'email', value: replyToOf(client), hint: 'Answers of clients come to it. It takes effect when its mailbox has confirmed it.', refusal })}
${field({ name: 'support_contact', label: 'Support contact', value: client.support_contact, hint: 'Shown at the end of each message: a telephone number, or an address.', refusal })}
${field({ name: 'case_url', label: 'Link to a case', type: 'url', value: client.case_url, hint: 'Where links in messages lead; {user_case_id} is replaced. Empty: to our page of the case.', refusal })}
${field({ name: 'time_zone', label: 'Time zone', value: client.time_zone, hint: 'For example America/Chicago. Quiet hours are in this zone.', refusal })}
${checkbox({ name: 'calendar_addresses', label: 'Staff may have secret addresses of their calendars', isChecked: client.calendar_addresses, hint: 'If not, those that there are end.', refusal })}`;
}

function memberAlertFields(client: Client, refusal: Refusal | null): Markup {
  return html`${checkbox({ name: 'names_in_mails', label: 'E-mails to staff name the client', isChecked: client.names_in_mails, hint: 'In the text alone, never in the subject. If not, e-mails have the matter number or the FLOW number.', refusal })}
<p>The alerts of members who are invited from now on. Every member can change the own ones.</p>
${alertFields(client.new_member_alerts, refusal)}`;
}

function factorField({ second_factor }: Client, refusal: Refusal | null): Markup {
  return select({
    name: 'second_factor',
    label: 'Who must use a second factor',
    value: second_factor,
    choices: secondFactorRule.options.map((value) => ({ value, text: factorRules[value] })),
    hint: 'Whoever has to and has none is signed out, and sets one up at the next sign-in. That may be you.',
    refusal,
  });
}
