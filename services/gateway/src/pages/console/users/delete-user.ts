import type { Success } from '@casewatch/contracts';
import { ApiError, html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../../page.ts';
import { field } from '../../parts/field.ts';
import { disclosure } from '../../parts/form.ts';
import { pageHead, section } from '../../parts/page-head.ts';
import { consolePage } from '../console-page.ts';
import { userPath } from './user-path.ts';

type User = Success<'get_partner_user'>['user'];

/** The address must be typed: the deletion cannot be undone. */
export const deleteUser = consolePage({
  method: 'POST',
  path: '/console/users/:user_id/delete',
  scope: 'users:write',
  params: userPath,
  form: z.object({ confirmation: z.string().trim() }),
  async handle({ ask, params, form: { confirmation } }) {
    const { user } = await ask('get_partner_user', { params });
    if (confirmation.toLowerCase() !== user.email.toLowerCase()) {
      throw new ApiError('validation_failed', { message: `Type ${user.email} to delete this user.` });
    }
    await ask('delete_partner_user', { params });
    return { to: '/console/users' };
  },
  async refused({ ask, params }, refusal) {
    const { user } = await ask('get_partner_user', { params });
    const back = { href: `/console/users/${user.id}`, text: user.name };
    return {
      title: 'Delete user',
      main: html`${pageHead({ title: 'Delete user', back })}${deleteUserForm(user, refusal)}`,
    };
  },
});

export function deleteUserForm(user: User, refusal: Refusal | null): Markup {
  const content = field({
    name: 'confirmation',
    label: `Type ${user.email} to confirm`,
    isRequired: true,
    refusal,
  });
  return section(
    'Delete this user',
    disclosure({
      summary: 'Delete user…',
      summaryTone: 'bad',
      text: 'This deletes the user with all cases and messages. This cannot be undone.',
      action: `/console/users/${user.id}/delete`,
      content,
      button: 'Delete user',
      tone: 'danger',
      refusal,
    }),
  );
}
