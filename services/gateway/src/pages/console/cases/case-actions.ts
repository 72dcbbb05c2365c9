import { type ConsoleCall, consolePage } from '../console-page.ts';
import { casePath } from './case-path.ts';

export const pauseCase = consolePage({
  method: 'POST',
  path: '/console/cases/:case_ref/pause',
  scope: 'cases:write',
  params: casePath,
  handle: async (call) => await setActive(call, call.params.case_ref, false),
});

export const resumeCase = consolePage({
  method: 'POST',
  path: '/console/cases/:case_ref/resume',
  scope: 'cases:write',
  params: casePath,
  handle: async (call) => await setActive(call, call.params.case_ref, true),
});

async function setActive({ ask }: ConsoleCall, case_ref: string, active: boolean) {
  const { case: row } = await ask('get_partner_case', { params: { case_ref } });
  await ask('update_case', { params: { user_id: row.user_id, case_ref }, body: { active } });
  return { to: `/console/cases/${row.user_case_id}` };
}
