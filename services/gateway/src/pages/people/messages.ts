import { caseRef } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import { notice } from '../parts/blocks.ts';
import { hidden } from '../parts/form.ts';
import { languageOf, type PersonCall, pathOf, personPage } from './person-page.ts';
import { messagesTexts } from './texts/messages-texts.ts';

/** Pauses or resumes e-mails about all cases. The person stays on the page. */
export const setMessages = personPage({
  method: 'POST',
  path: '/messages',
  form: z.object({ emails: z.enum(['pause', 'resume']), case_ref: caseRef.optional() }),
  async handle(call) {
    const { emails, case_ref } = call.form;
    await call.ask('update_user', {
      params: pathOf(call),
      body: { notify_by_email: emails === 'resume' },
    });
    const done: MessagesDone = emails === 'resume' ? 'resumed' : 'paused';
    return { to: `${case_ref === undefined ? '/cases' : `/cases/${case_ref}`}?done=${done}` };
  },
});

export type MessagesDone = 'paused' | 'resumed';

/** The address of the page keeps what was done. The notice stands only while it is still true: a page is loaded again later. */
export function messagesNotice(call: PersonCall, done: MessagesDone | undefined): Markup | null {
  const state: MessagesDone = call.session.user.notify_by_email ? 'resumed' : 'paused';
  return done === state ? notice('good', messagesTexts[languageOf(call)][done]) : null;
}

/** Which messages the person gets, with the button that changes it. */
export function messagesBlock(call: PersonCall, caseRefOfPage: string | null): Markup {
  const texts = messagesTexts[languageOf(call)];
  const { email, phone, notify_by_email: isOn, notify_by_whatsapp } = call.session.user;
  return html`<section class="block"><h2>${texts.title}</h2>
<p>${isOn ? texts.emailOn(email) : texts.emailOff}</p>
${notify_by_whatsapp && phone !== null && html`<p>${texts.whatsappOn(phone)}</p>`}
<form method="post" action="/messages">${caseRefOfPage !== null && hidden('case_ref', caseRefOfPage)}
<button type="submit" class="button" name="emails" value="${isOn ? 'pause' : 'resume'}">${isOn ? texts.pause : texts.resume}</button></form></section>`;
}
