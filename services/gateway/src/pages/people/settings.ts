import { language, maxEmail, maxName } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../page.ts';
import { notice } from '../parts/blocks.ts';
import {
  changedFields,
  checkbox,
  checked,
  field,
  form,
  isEmpty,
  optionalText,
  select,
  shownFields,
} from '../parts/form.ts';
import { ownPage } from './own-page.ts';
import { languageChoices, languageOf, type PersonCall, pathOf, personPage } from './person-page.ts';
import { settingsTexts } from './texts/settings-texts.ts';

const done = z.enum(['saved', 'address', 'same']).optional().catch(undefined);

const settingsPage = personPage({
  method: 'GET',
  path: '/settings',
  query: z.object({ done }),
  handle: async (call) => settingsView(call, { done: call.query.done }),
});

const saveSettings = personPage({
  method: 'POST',
  path: '/settings',
  form: z.object({
    name: z.string().trim(),
    preferred_language: language,
    phone: optionalText.transform((text) => text ?? null),
    notify_by_email: checked,
    notify_by_whatsapp: checked,
    shown: shownFields,
  }),
  async handle(call) {
    const { shown, ...fields } = call.form;
    const body = changedFields(fields, shown);
    if (!isEmpty(body)) await call.ask('update_user', { params: pathOf(call), body });
    return { to: '/settings?done=saved' };
  },
  refused: async (call, messages) => settingsView(call, { messages }),
});

const changeAddress = personPage({
  method: 'POST',
  path: '/settings/address',
  form: z.object({ email: z.string() }),
  async handle(call) {
    const isSame = call.form.email.trim().toLowerCase() === call.session.user.email.toLowerCase();
    await call.ask('update_user', { params: pathOf(call), body: call.form });
    return { to: `/settings?done=${isSame ? 'same' : 'address'}` };
  },
  refused: async (call, address) => settingsView(call, { address }),
});

/** The buttons at the foot of each page. */
const setLanguage = personPage({
  method: 'POST',
  path: '/settings/language',
  form: z.object({ language, to: ownPage }),
  async handle(call) {
    await call.ask('update_user', {
      params: pathOf(call),
      body: { preferred_language: call.form.language },
    });
    return { to: call.form.to };
  },
});

/** The button of an account that is switched off. */
const activateAccount = personPage({
  method: 'POST',
  path: '/settings/activate',
  async handle(call) {
    await call.ask('update_user', { params: pathOf(call), body: { status: 'active' } });
    return { to: '/cases' };
  },
});

export const settingsPages = [settingsPage, saveSettings, changeAddress, setLanguage, activateAccount];

type Outcome = {
  readonly done?: z.output<typeof done>;
  readonly messages?: Refusal;
  readonly address?: Refusal;
};

function settingsView(call: PersonCall, { done, messages, address }: Outcome) {
  const texts = settingsTexts[languageOf(call)];
  const { email, name, preferred_language, phone, notify_by_email, notify_by_whatsapp } = call.session.user;
  const shown = { name, preferred_language, phone, notify_by_email, notify_by_whatsapp };
  const newAddress = field({
    name: 'email',
    label: texts.newAddress,
    hint: texts.newAddressHint,
    type: 'email',
    autocomplete: 'email',
    maxLength: maxEmail,
    isRequired: true,
    refusal: address,
  });
  const said = { saved: texts.saved, address: texts.addressSent, same: texts.addressSame };
  const main = html`<h1>${texts.title}</h1>
${done && notice('good', said[done])}
<section class="block"><h2>${texts.messages}</h2>
${form({ action: '/settings', content: messageFields(call, messages), button: texts.save, refusal: messages, shown })}</section>
<section class="block"><h2>${texts.address}</h2>
<p>${texts.addressNow(email)}</p>
${form({ action: '/settings/address', content: newAddress, button: texts.change, tone: 'plain', refusal: address })}</section>`;
  return { title: texts.title, main };
}

function messageFields(call: PersonCall, refusal: Refusal | undefined): Markup {
  const texts = settingsTexts[languageOf(call)];
  const { user } = call.session;
  return html`${field({ name: 'name', label: texts.name, autocomplete: 'name', maxLength: maxName, isRequired: true, value: user.name, refusal })}
${select({ name: 'preferred_language', label: texts.language, value: user.preferred_language, choices: languageChoices, refusal })}
${checkbox({ name: 'notify_by_email', label: texts.email, isChecked: user.notify_by_email, refusal })}
${field({ name: 'phone', label: texts.phone, hint: texts.phoneHint, type: 'tel', autocomplete: 'tel', value: user.phone, refusal })}
${checkbox({ name: 'notify_by_whatsapp', label: texts.whatsapp, isChecked: user.notify_by_whatsapp, refusal })}`;
}
