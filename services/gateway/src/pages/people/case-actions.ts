import { caseRef, type Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import { buttonForm, disclosure } from '../parts/form.ts';
import { languageOf, type PersonCall, pathOf, personPage } from './person-page.ts';
import { caseTexts } from './texts/case-texts.ts';

const params = z.object({ case_ref: caseRef });

export const pauseCase = personPage({
  method: 'POST',
  path: '/cases/:case_ref/pause',
  scope: null,
  params,
  handle: async (call) => await setActive(call, call.params.case_ref, false),
});

export const resumeCase = personPage({
  method: 'POST',
  path: '/cases/:case_ref/resume',
  scope: null,
  params,
  handle: async (call) => await setActive(call, call.params.case_ref, true),
});

export const removeCase = personPage({
  method: 'POST',
  path: '/cases/:case_ref/remove',
  scope: null,
  params,
  async handle(call) {
    await call.ask('delete_case', { params: { ...pathOf(call), ...call.params } });
    return { to: '/cases?done=removed' };
  },
});

async function setActive(call: PersonCall, case_ref: string, active: boolean) {
  await call.ask('update_case', { params: { ...pathOf(call), case_ref }, body: { active } });
  return { to: `/cases/${case_ref}` };
}

/** Pause or resume, and remove. */
export function caseControls(call: PersonCall, row: Success<'get_case'>['case']): Markup {
  const texts = caseTexts[languageOf(call)];
  const path = `/cases/${row.user_case_id}`;
  const toggle = row.active
    ? buttonForm(`${path}/pause`, texts.pause)
    : buttonForm(`${path}/resume`, texts.resume, 'primary');
  return html`<section class="block controls">
${toggle}
${row.active && html`<p class="quiet small">${texts.pauseNote}</p>`}
${disclosure({ summary: texts.remove, text: texts.removeText, action: `${path}/remove`, button: texts.removeNow, tone: 'danger' })}
</section>`;
}
