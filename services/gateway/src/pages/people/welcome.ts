import { type Language, language as languages, maxName, receiptNumber } from '@casewatch/contracts';
import { html } from '@casewatch/platform';
import { z } from 'zod';
import type { View } from '../page.ts';
import { checkbox, checked, field, form, hidden, optionalText, select } from '../parts/form.ts';
import { languageChoices, languageOf, type PersonCall, pathOf, personForm } from './person-page.ts';
import { signInForm } from './sign-in.ts';
import { newCaseTexts } from './texts/new-case-texts.ts';
import { signInTexts } from './texts/sign-in-texts.ts';
import { welcomeTexts } from './texts/welcome-texts.ts';

/** What the link of a welcome opens. A button, because programs that scan mails open links. */
export function welcomeView(language: Language, token: string, email: string): View {
  const texts = welcomeTexts[language];
  return {
    title: texts.title,
    main: html`<h1>${texts.title}</h1>
<p>${texts.intro(email)}</p>
<p>${texts.effect}</p>
${form({ action: '/welcome', content: hidden('token', token), button: texts.open })}
<p class="quiet">${texts.notYou}</p>`,
  };
}

/** The link is used up, has expired, or was never ours: the way on is the address again. */
export function usedWelcomeView(language: Language): View {
  const texts = welcomeTexts[language];
  return {
    title: texts.usedTitle,
    main: html`<h1>${texts.usedTitle}</h1>
<p>${texts.usedText}</p>
${signInForm(language)}`,
  };
}

/** Somebody opened an account with the address after the mail was sent. */
export function takenWelcomeView(language: Language, email: string): View {
  const texts = welcomeTexts[language];
  const { againSend } = signInTexts[language];
  return {
    title: texts.takenTitle,
    main: html`<h1>${texts.takenTitle}</h1>
<p>${texts.takenText(email)}</p>
${form({ action: '/sign-in', content: hidden('email', email), button: againSend })}`,
  };
}

/** The first page of a new account: name, language, first case. The case can wait. */
export const startPages = personForm({
  path: '/start',
  form: z
    .object({
      name: optionalText,
      preferred_language: languages,
      receipt_number: z.string(),
      uscis_access_acknowledged: checked,
      later: checked,
      idempotency_key: optionalText,
    })
    .refine((form) => form.later || form.uscis_access_acknowledged, { path: ['uscis_access_acknowledged'] })
    // Judged here, too: all that is wrong is said at once.
    .refine((form) => form.later || receiptNumber.safeParse(form.receipt_number).success, {
      path: ['receipt_number'],
    }),
  async handle(call) {
    const { name, preferred_language, later, receipt_number, idempotency_key } = call.form;
    const params = pathOf(call);
    await call.ask('update_user', {
      params,
      body: { preferred_language, ...(name !== undefined && { name }) },
    });
    if (later) return { to: '/cases' };
    const answer = await call.ask('create_case', {
      params,
      body: { receipt_number, uscis_access_acknowledged: true },
      idempotencyKey: idempotency_key,
    });
    return { to: `/cases/${answer.case.user_case_id}?done=added` };
  },
  async view(call: PersonCall, refusal) {
    const language = languageOf(call);
    const texts = welcomeTexts[language];
    const ofCase = newCaseTexts[language];
    const content = html`${field({ name: 'name', label: texts.name, hint: texts.nameHint, autocomplete: 'name', maxLength: maxName, refusal })}
${select({ name: 'preferred_language', label: texts.language, value: language, choices: languageChoices, refusal })}
<h2>${texts.firstCase}</h2>
<p>${ofCase.intro}</p>
${field({ name: 'receipt_number', label: ofCase.receipt, hint: ofCase.receiptHint, refusal })}
${checkbox({ name: 'uscis_access_acknowledged', label: ofCase.acknowledge, refusal })}`;
    const later = html`<button type="submit" class="button" name="later" value="on">${texts.later}</button>`;
    const main = html`<h1>${texts.startTitle}</h1>
<p>${texts.startText}</p>
${form({ action: '/start', content, button: texts.watch, refusal, isOnce: true, other: later })}`;
    return { title: texts.startTitle, main };
  },
});
