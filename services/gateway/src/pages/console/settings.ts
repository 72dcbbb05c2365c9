import { type LogoFault, type SecondFactorRule, type Success, secondFactorRule } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../page.ts';
import { countText, facts, logo, notice, pageHead, section, stats } from '../parts/blocks.ts';
import { checkbox, checked, field, form, optionalText, select } from '../parts/form.ts';
import { alertFields, alertsForm, alertsOfForm } from './alerts.ts';
import { type ConsoleCall, can, consolePage, ifAvailable } from './console-page.ts';

const settingsPage = consolePage({
  method: 'GET',
  path: '/console/settings',
  scope: 'profile:read',
  query: z.object({ done: optionalText }),
  handle: async (call) => await settingsView(call, null, call.query.done !== undefined),
});

const saveLogo = consolePage({
  method: 'POST',
  path: '/console/settings',
  scope: 'profile:write',
  form: z.object({ logo_url: optionalText.transform((text) => text ?? null) }),
  async handle({ ask, form: body }) {
    await ask('update_logo', { body });
    return { to: '/console/settings?done=saved' };
  },
  refused: async (call, refusal) => await settingsView(call, refusal, false),
});

/** An empty field empties the setting. */
const orNull = optionalText.transform((text) => text ?? null);

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
  }),
  async handle({ ask, form: body }) {
    await ask('update_profile', { body });
    return { to: '/console/settings?done=saved' };
  },
  refused: async (call, refusal) => await settingsView(call, refusal, false),
});

const saveSecondFactor = consolePage({
  method: 'POST',
  path: '/console/settings/second-factor',
  scope: 'settings',
  form: z.object({ second_factor: secondFactorRule }),
  async handle({ ask, form: body }) {
    await ask('update_profile', { body });
    return { to: '/console/settings?done=saved' };
  },
  refused: async (call, refusal) => await settingsView(call, refusal, false),
});

const saveAlerts = consolePage({
  method: 'POST',
  path: '/console/settings/alerts',
  scope: 'settings',
  form: alertsForm.extend({ names_in_mails: checked }),
  async handle({ ask, form }) {
    const { names_in_mails } = form;
    await ask('update_profile', { body: { names_in_mails, new_member_alerts: alertsOfForm(form) } });
    return { to: '/console/settings?done=saved' };
  },
  refused: async (call, refusal) => await settingsView(call, refusal, false),
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

async function settingsView(call: ConsoleCall, refusal: Refusal | null, isSaved: boolean) {
  const { ask, times } = call;
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
    refusal,
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
${can(call, 'profile:write') && section('Logo', form({ action: '/console/settings', content: logoField, button: 'Save', refusal }))}
${can(call, 'settings') && section('What clients see', form({ action: '/console/settings/profile', content: profileFields(client, refusal), button: 'Save settings', refusal }))}
${can(call, 'settings') && section('Sign-in of members', form({ action: '/console/settings/second-factor', content: factorField(client, refusal), button: 'Save sign-in', refusal }))}
${can(call, 'settings') && section('Alerts of members', form({ action: '/console/settings/alerts', content: memberAlertFields(client, refusal), button: 'Save alerts', refusal }))}
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

function profileFields(client: Success<'get_profile'>['client'], refusal: Refusal | null): Markup {
  return html`${field({ name: 'reply_to', label: 'Reply-to address', type: 'email', value: client.pending_reply_to ?? client.reply_to, hint: 'Answers of clients come to it. It takes effect when its mailbox has confirmed it.', refusal })}
${field({ name: 'support_contact', label: 'Support contact', value: client.support_contact, hint: 'Shown at the end of each message: a telephone number, or an address.', refusal })}
${field({ name: 'case_url', label: 'Link to a case', type: 'url', value: client.case_url, hint: 'Where links in messages lead; {user_case_id} is replaced. Empty: to our page of the case.', refusal })}
${field({ name: 'time_zone', label: 'Time zone', value: client.time_zone, hint: 'For example America/Chicago. Quiet hours are in this zone.', refusal })}
${checkbox({ name: 'calendar_addresses', label: 'Staff may have secret addresses of their calendars', isChecked: client.calendar_addresses, hint: 'If not, those that there are end.', refusal })}`;
}

function memberAlertFields(client: Success<'get_profile'>['client'], refusal: Refusal | null): Markup {
  return html`${checkbox({ name: 'names_in_mails', label: 'E-mails to staff name the client', isChecked: client.names_in_mails, hint: 'In the text alone, never in the subject. If not, e-mails have the matter number or the FLOW number.', refusal })}
<p>The alerts of members who are invited from now on. Every member can change the own ones.</p>
${alertFields(client.new_member_alerts, refusal)}`;
}

function factorField({ second_factor }: Success<'get_profile'>['client'], refusal: Refusal | null): Markup {
  return select({
    name: 'second_factor',
    label: 'Who must use a second factor',
    value: second_factor,
    choices: secondFactorRule.options.map((value) => ({ value, text: factorRules[value] })),
    hint: 'Whoever has to and has none is signed out, and sets one up at the next sign-in. That may be you.',
    refusal,
  });
}
