import { language, type Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../page.ts';
import { pageHead } from '../parts/blocks.ts';
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
import { consoleForm, userPath } from './console-page.ts';

/** The form has an empty text where the operation has null. */
const userForm = z.object({
  email: z.string(),
  name: z.string(),
  phone: optionalText.transform((text) => text ?? null),
  preferred_language: language.default('en'),
  notify_by_email: checked,
  notify_by_whatsapp: checked,
});

const newUser = consoleForm({
  path: '/console/users/new',
  scope: 'users:write',
  form: userForm.extend({ idempotency_key: optionalText }),
  async handle({ ask, form: { idempotency_key, ...body } }) {
    const { user } = await ask('create_partner_user', { body, idempotencyKey: idempotency_key });
    return { to: `/console/users/${user.id}` };
  },
  async view(_call, refusal) {
    const main = html`${pageHead({ title: 'Create a user', sub: 'The user gets an e-mail to verify the address.', back: { href: '/console/users', text: 'Users' } })}
${form({ action: '/console/users/new', content: userFields(null, refusal), button: 'Create user', refusal, isOnce: true })}`;
    return { title: 'Create a user', main };
  },
});

const editUser = consoleForm({
  path: '/console/users/:user_id/edit',
  scope: 'users:write',
  params: userPath,
  form: userForm.extend({ shown: shownFields }),
  async handle({ ask, params, form: { shown, ...fields } }) {
    const body = changedFields(fields, shown);
    if (!isEmpty(body)) await ask('update_partner_user', { params, body });
    return { to: `/console/users/${params.user_id}?done=saved` };
  },
  async view({ ask, params }, refusal) {
    const { user } = await ask('get_partner_user', { params });
    const { email, name, phone, preferred_language, notify_by_email, notify_by_whatsapp } = user;
    const shown = { email, name, phone, preferred_language, notify_by_email, notify_by_whatsapp };
    const path = `/console/users/${params.user_id}`;
    const main = html`${pageHead({ title: 'Edit user', sub: 'A new e-mail address takes effect immediately and ends the sessions of the user.', back: { href: path, text: user.name } })}
${form({ action: `${path}/edit`, content: userFields(user, refusal), button: 'Save', refusal, shown })}`;
    return { title: 'Edit user', main };
  },
});

export const userForms = [...newUser, ...editUser];

/** Languages of messages. */
export const languages = { en: 'English', es: 'Spanish', pt: 'Portuguese' };
export const languageChoices = Object.entries(languages).map(([value, text]) => ({ value, text }));

function userFields(user: Success<'get_partner_user'>['user'] | null, refusal: Refusal | null): Markup {
  return html`${field({ name: 'name', label: 'Full name', value: user?.name, isRequired: true, refusal })}
${field({ name: 'email', label: 'E-mail address', type: 'email', value: user?.email, isRequired: true, refusal })}
${field({ name: 'phone', label: 'Phone number', type: 'tel', value: user?.phone, hint: 'With the country code, for example +12025550123. Needed for WhatsApp.', refusal })}
${select({ name: 'preferred_language', label: 'Language of messages', value: user?.preferred_language ?? 'en', choices: languageChoices, refusal })}
${checkbox({ name: 'notify_by_email', label: 'Tell the user by e-mail', isChecked: user?.notify_by_email ?? true, refusal })}
${checkbox({ name: 'notify_by_whatsapp', label: 'Tell the user by WhatsApp; the user has agreed', isChecked: user?.notify_by_whatsapp ?? false, refusal })}`;
}
