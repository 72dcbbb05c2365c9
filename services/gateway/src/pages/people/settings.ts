import { language } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../page.ts';
import { checkbox, field, select } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import { checked, optionalText } from '../parts/form-values.ts';
import { notice } from '../parts/pill.ts';
import { languageOf, type PersonCall, pathOf, personPage } from './person-page.ts';
import { settingsTexts } from './texts/settings-texts.ts';

const done = z.enum(['saved', 'address']).optional().catch(undefined);

export const settingsPage = personPage({
  method: 'GET',
  path: '/settings',
  scope: null,
  query: z.object({ done }),
  handle: async (call) => settingsView(call, { done: call.query.done }),
});

export const saveSettings = personPage({
  method: 'POST',
  path: '/settings',
  scope: null,
  form: z.object({
    preferred_language: language,
    phone: optionalText.transform((text) => text ?? null),
    notify_by_email: checked,
    notify_by_whatsapp: checked,
  }),
  async handle(call) {
    await call.ask('update_user', { params: pathOf(call), body: call.form });
    return { to: '/settings?done=saved' };
  },
  refused: async (call, messages) => settingsView(call, { messages }),
});

export const changeAddress = personPage({
  method: 'POST',
  path: '/settings/address',
  scope: null,
  form: z.object({ email: z.string() }),
  async handle(call) {
    await call.ask('update_user', { params: pathOf(call), body: call.form });
    return { to: '/settings?done=address' };
  },
  refused: async (call, address) => settingsView(call, { address }),
});

type Outcome = {
  readonly done?: 'saved' | 'address' | undefined;
  readonly messages?: Refusal;
  readonly address?: Refusal;
};

function settingsView(call: PersonCall, { done, messages, address }: Outcome) {
  const texts = settingsTexts[languageOf(call)];
  const { email } = call.session.user;
  const newAddress = field({
    name: 'email',
    label: texts.newAddress,
    hint: texts.newAddressHint,
    type: 'email',
    autocomplete: 'email',
    isRequired: true,
    refusal: address,
  });
  const main = html`<h1>${texts.title}</h1>
${done && notice('good', done === 'saved' ? texts.saved : texts.addressSent)}
<section class="block"><h2>${texts.messages}</h2>
${form({ action: '/settings', content: messageFields(call, messages), button: texts.save, refusal: messages })}</section>
<section class="block"><h2>${texts.address}</h2>
<p>${texts.addressNow(email)}</p>
${form({ action: '/settings/address', content: newAddress, button: texts.change, tone: 'plain', refusal: address })}</section>`;
  return { title: texts.title, main };
}

const languageChoices = [
  { value: 'en', text: 'English' },
  { value: 'es', text: 'Español' },
  { value: 'pt', text: 'Português' },
];

function messageFields(call: PersonCall, refusal: Refusal | undefined): Markup {
  const texts = settingsTexts[languageOf(call)];
  const { user } = call.session;
  return html`${select({ name: 'preferred_language', label: texts.language, value: user.preferred_language, choices: languageChoices, refusal })}
${checkbox({ name: 'notify_by_email', label: texts.email, isChecked: user.notify_by_email, refusal })}
${field({ name: 'phone', label: texts.phone, hint: texts.phoneHint, type: 'tel', autocomplete: 'tel', value: user.phone, refusal })}
${checkbox({ name: 'notify_by_whatsapp', label: texts.whatsapp, isChecked: user.notify_by_whatsapp, refusal })}`;
}
