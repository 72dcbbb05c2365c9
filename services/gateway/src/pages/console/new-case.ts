import { language, operations, type Success } from '@casewatch/contracts';
import { ApiError, html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../page.ts';
import { pageHead } from '../parts/blocks.ts';
import { checkbox, checked, field, form, optionalText, select } from '../parts/form.ts';
import { type ConsoleCall, consoleForm, userPath } from './console-page.ts';
import { languageChoices } from './edit-user.ts';

const caseForm = z.object({
  receipt_number: z.string(),
  description: z.string(),
  uscis_access_acknowledged: checked.transform((isChecked) => isChecked || undefined),
  first_check: z.enum(['now', 'deferred']).default('now'),
  idempotency_key: optionalText,
});

const newCaseOfUser = consoleForm({
  path: '/console/users/:user_id/cases/new',
  scope: 'cases:write',
  params: userPath,
  form: caseForm,
  async handle({ ask, params, form: { idempotency_key, ...body } }) {
    const answer = await ask('create_partner_case', { params, body, idempotencyKey: idempotency_key });
    return { to: `/console/cases/${answer.case.user_case_id}` };
  },
  async view({ ask, params }, refusal) {
    const { user } = await ask('get_partner_user', { params });
    const path = `/console/users/${user.id}`;
    const main = html`${pageHead({ title: 'Add a case', sub: user.name, back: { href: path, text: user.name } })}
${form({ action: `${path}/cases/new`, content: caseFields(refusal), button: 'Add case', refusal, isOnce: true })}`;
    return { title: 'Add a case', main };
  },
});

/** Case and user in one form; the user may exist already, with this address and name. */
const newCase = consoleForm({
  path: '/console/cases/new',
  scope: 'cases:write',
  form: caseForm.extend({
    name: z.string().trim().min(1, 'Type the name of the user.'),
    email: z.email('Type the e-mail address of the user.').trim(),
    preferred_language: language.default('en'),
    // What the operation would refuse after the user was created is refused before, by its own schemas.
    ...operations.create_partner_case.body.shape,
    uscis_access_acknowledged: z
      .literal('on', 'Check this box if access is authorized.')
      .transform(() => true as const),
  }),
  async handle(call) {
    const { name, email, preferred_language, idempotency_key, ...body } = call.form;
    const known = await userAt(call, email);
    if (known && !isSameName(known.name, name))
      throw new ApiError('validation_failed', {
        message: `${email} is the address of ${known.name}. Type that name to add a case for ${known.name}, or another address.`,
      });
    const user =
      known ??
      (
        await call.ask('create_partner_user', {
          body: { name, email, preferred_language },
          idempotencyKey: idempotency_key,
        })
      ).user;
    try {
      const params = { user_id: String(user.id) };
      const answer = await call.ask('create_partner_case', { params, body, idempotencyKey: idempotency_key });
      return { to: `/console/cases/${answer.case.user_case_id}` };
    } catch (error) {
      if (!(error instanceof ApiError) || known) throw error;
      const message = `${name} was added, the case was not. ${error.message} Send the form again to try again.`;
      // A fault of no field stands on top of the page, also where others stand beside their fields.
      const ofForm = { in: 'body', pointer: '#', code: error.code, message } as const;
      const faults = [...(error.options.faults ?? []), ofForm];
      throw new ApiError(error.code, { ...error.options, message, faults });
    }
  },
  async view(_call, refusal) {
    const content = html`${field({ name: 'name', label: 'Full name', isRequired: true, refusal })}
${field({ name: 'email', label: 'E-mail address', type: 'email', hint: 'A new user gets an e-mail to verify the address. Messages start when it is verified.', isRequired: true, refusal })}
${select({ name: 'preferred_language', label: 'Language of messages', value: 'en', choices: languageChoices, refusal })}
${caseFields(refusal)}`;
    const main = html`${pageHead({ title: 'Add a case', back: { href: '/console/cases', text: 'Cases' } })}
${form({ action: '/console/cases/new', content, button: 'Add case', refusal, isOnce: true })}`;
    return { title: 'Add a case', main };
  },
});

export const newCasePages = [...newCase, ...newCaseOfUser];

async function userAt({ ask }: ConsoleCall, email: string) {
  const { users }: Success<'list_partner_users'> = await ask('list_partner_users', {
    query: { email, limit: '1' },
  });
  return users[0] ?? null;
}

/** As people compare names: case, accents and spaces do not count. */
function isSameName(one: string, other: string): boolean {
  const folded = (name: string) => name.trim().replaceAll(/\s+/g, ' ');
  return folded(one).localeCompare(folded(other), 'en', { sensitivity: 'base' }) === 0;
}

function caseFields(refusal: Refusal | null): Markup {
  return html`${field({ name: 'receipt_number', label: 'Receipt number', hint: 'Three letters and ten digits, as on the receipt notice of USCIS.', placeholder: 'EAC9999103403', isRequired: true, refusal })}
${field({ name: 'description', label: 'Description', hint: 'Your name for the case. The user sees it on the page of the case.', refusal })}
${checkbox({ name: 'uscis_access_acknowledged', label: 'The user or their counsel has authorized access to the case status.', isRequired: true, refusal })}`;
}
