import { html } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../../page.ts';
import { checkbox, field } from '../../parts/field.ts';
import { form } from '../../parts/form.ts';
import { checked, optionalText } from '../../parts/form-values.ts';
import { pageHead } from '../../parts/page-head.ts';
import { type ConsoleCall, consolePage } from '../console-page.ts';
import { userPath } from '../users/user-path.ts';

type Params = z.output<typeof userPath>;

export const newCaseForm = consolePage({
  method: 'GET',
  path: '/console/users/:user_id/cases/new',
  scope: 'cases:write',
  params: userPath,
  handle: async (call) => await newCaseView(call, call.params, null),
});

export const createCase = consolePage({
  method: 'POST',
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
  refused: async (call, refusal) => await newCaseView(call, call.params, refusal),
});

async function newCaseView({ ask }: ConsoleCall, params: Params, refusal: Refusal | null) {
  const { user } = await ask('get_partner_user', { params });
  const fields = html`${field({ name: 'receipt_number', label: 'Receipt number', hint: 'Three letters and ten digits, as on the receipt notice of USCIS.', placeholder: 'EAC9999103403', isRequired: true, refusal })}
${field({ name: 'description', label: 'Description', hint: 'Your name for the case. The user does not see it in messages.', refusal })}
${checkbox({ name: 'uscis_access_acknowledged', label: 'The user or their counsel has authorized access to the case status.', isRequired: true, refusal })}`;
  const action = `/console/users/${user.id}/cases/new`;
  const main = html`${pageHead({ title: 'Add a case', sub: user.name, back: { href: `/console/users/${user.id}`, text: user.name } })}
${form({ action, content: fields, button: 'Add case', refusal, isOnce: true })}`;
  return { title: 'Add a case', main };
}
