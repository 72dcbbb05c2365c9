import { html } from '@casewatch/platform';
import { z } from 'zod';
import { pageHead } from '../parts/blocks.ts';
import { checkbox, checked, field, form, optionalText } from '../parts/form.ts';
import { consoleForm, userPath } from './console-page.ts';

export const newCase = consoleForm({
  path: '/console/users/:user_id/cases/new',
  scope: 'cases:write',
  params: userPath,
  form: z.object({
    receipt_number: z.string(),
    description: z.string(),
    uscis_access_acknowledged: checked.transform((isChecked) => isChecked || undefined),
    first_check: z.enum(['now', 'deferred']).default('now'),
    idempotency_key: optionalText,
  }),
  async handle({ ask, params, form: { idempotency_key, ...body } }) {
    const answer = await ask('create_partner_case', { params, body, idempotencyKey: idempotency_key });
    return { to: `/console/cases/${answer.case.user_case_id}` };
  },
  async view({ ask, params }, refusal) {
    const { user } = await ask('get_partner_user', { params });
    const path = `/console/users/${user.id}`;
    const content = html`${field({ name: 'receipt_number', label: 'Receipt number', hint: 'Three letters and ten digits, as on the receipt notice of USCIS.', placeholder: 'EAC9999103403', isRequired: true, refusal })}
${field({ name: 'description', label: 'Description', hint: 'Your name for the case. The user does not see it in messages.', refusal })}
${checkbox({ name: 'uscis_access_acknowledged', label: 'The user or their counsel has authorized access to the case status.', isRequired: true, refusal })}`;
    const main = html`${pageHead({ title: 'Add a case', sub: user.name, back: { href: path, text: user.name } })}
${form({ action: `${path}/cases/new`, content, button: 'Add case', refusal, isOnce: true })}`;
    return { title: 'Add a case', main };
  },
});
