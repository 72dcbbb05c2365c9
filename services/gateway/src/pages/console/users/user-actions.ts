import { html } from '@casewatch/platform';
import type { Refusal } from '../../page.ts';
import { form } from '../../parts/form.ts';
import { pageHead } from '../../parts/page-head.ts';
import { type ConsoleCall, consolePage } from '../console-page.ts';
import { userFields, userForm } from './user-form.ts';
import { userPath } from './user-path.ts';

export const editUserForm = consolePage({
  method: 'GET',
  path: '/console/users/:user_id/edit',
  scope: 'users:write',
  params: userPath,
  handle: async (call) => await editView(call, call.params.user_id, null),
});

export const editUser = consolePage({
  method: 'POST',
  path: '/console/users/:user_id/edit',
  scope: 'users:write',
  params: userPath,
  form: userForm,
  async handle({ ask, params, form: body }) {
    await ask('update_partner_user', { params, body });
    return { to: `/console/users/${params.user_id}?done=saved` };
  },
  refused: async (call, refusal) => await editView(call, call.params.user_id, refusal),
});

export const activateUser = consolePage({
  method: 'POST',
  path: '/console/users/:user_id/activate',
  scope: 'users:write',
  params: userPath,
  handle: async (call) => await setStatus(call, call.params.user_id, 'active'),
});

export const deactivateUser = consolePage({
  method: 'POST',
  path: '/console/users/:user_id/deactivate',
  scope: 'users:write',
  params: userPath,
  handle: async (call) => await setStatus(call, call.params.user_id, 'inactive'),
});

export const resendVerification = consolePage({
  method: 'POST',
  path: '/console/users/:user_id/resend-verification',
  scope: 'users:write',
  params: userPath,
  async handle({ ask, params }) {
    const { user } = await ask('get_partner_user', { params });
    await ask('resend_partner_verification', { body: { email: user.email } });
    return { to: `/console/users/${user.id}?done=resent` };
  },
});

async function setStatus({ ask }: ConsoleCall, userId: number, status: 'active' | 'inactive') {
  await ask('update_partner_user', { params: { user_id: userId }, body: { status } });
  return { to: `/console/users/${userId}?done=saved` };
}

async function editView({ ask }: ConsoleCall, userId: number, refusal: Refusal | null) {
  const { user } = await ask('get_partner_user', { params: { user_id: userId } });
  const path = `/console/users/${userId}`;
  const main = html`${pageHead({ title: 'Edit user', sub: 'A new e-mail address takes effect immediately and ends the sessions of the user.', back: { href: path, text: user.name } })}
${form({ action: `${path}/edit`, content: userFields(user, refusal), button: 'Save', refusal })}`;
  return { title: 'Edit user', main };
}
