import { html } from '@casewatch/platform';
import type { Refusal, View } from '../../page.ts';
import { form } from '../../parts/form.ts';
import { optionalText } from '../../parts/form-values.ts';
import { pageHead } from '../../parts/page-head.ts';
import { consolePage } from '../console-page.ts';
import { userFields, userForm } from './user-form.ts';

export const newUserForm = consolePage({
  method: 'GET',
  path: '/console/users/new',
  scope: 'users:write',
  handle: async () => newUserView(null),
});

export const createUser = consolePage({
  method: 'POST',
  path: '/console/users/new',
  scope: 'users:write',
  form: userForm.extend({ idempotency_key: optionalText }),
  async handle({ ask, form: { idempotency_key, ...body } }) {
    const { user } = await ask('create_partner_user', { body, idempotencyKey: idempotency_key });
    return { to: `/console/users/${user.id}` };
  },
  refused: async (_call, refusal) => newUserView(refusal),
});

function newUserView(refusal: Refusal | null): View {
  const main = html`${pageHead({ title: 'Create a user', sub: 'The user gets an e-mail to verify the address.', back: { href: '/console/users', text: 'Users' } })}
${form({ action: '/console/users/new', content: userFields(null, refusal), button: 'Create user', refusal, isOnce: true })}`;
  return { title: 'Create a user', main };
}
