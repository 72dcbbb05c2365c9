import { maxDescription, receiptNumber } from '@casewatch/contracts';
import { html } from '@casewatch/platform';
import { z } from 'zod';
import { checkbox, field, form, optionalText } from '../parts/form.ts';
import { languageOf, pathOf, personForm } from './person-page.ts';
import { caseTexts } from './texts/case-texts.ts';
import { newCaseTexts } from './texts/new-case-texts.ts';

export const newCase = personForm({
  path: '/cases/new',
  form: z.object({
    // Judged here, too: all that is wrong is said at once.
    receipt_number: receiptNumber,
    description: z.string().max(maxDescription),
    uscis_access_acknowledged: z.literal('on'),
    idempotency_key: optionalText,
  }),
  async handle(call) {
    const { receipt_number, description, idempotency_key } = call.form;
    const answer = await call.ask('create_case', {
      params: pathOf(call),
      body: { receipt_number, description, uscis_access_acknowledged: true },
      idempotencyKey: idempotency_key,
    });
    return { to: `/cases/${answer.case.user_case_id}?done=added` };
  },
  async view(call, refusal) {
    const language = languageOf(call);
    const texts = newCaseTexts[language];
    const content = html`${field({ name: 'receipt_number', label: texts.receipt, hint: texts.receiptHint, isRequired: true, refusal })}
${field({ name: 'description', label: texts.description, hint: texts.descriptionHint, maxLength: maxDescription, refusal })}
${checkbox({ name: 'uscis_access_acknowledged', label: texts.acknowledge, isRequired: true, refusal })}`;
    const main = html`<p class="back"><a href="/cases">${caseTexts[language].back}</a></p>
<h1>${texts.title}</h1>
<p>${texts.intro}</p>
${form({ action: '/cases/new', content, button: texts.add, refusal, isOnce: true })}`;
    return { title: texts.title, main };
  },
});
