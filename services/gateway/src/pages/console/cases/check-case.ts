import type { Markup } from '@casewatch/platform';
import { notice } from '../../parts/pill.ts';
import { consolePage } from '../console-page.ts';
import { casePath } from './case-path.ts';
import { caseView } from './case-view.ts';

/** The shortest that the operation accepts, seconds: a status that is younger is not asked for again. */
const maxAgeS = 300;

/** By the source of the answer. */
export const checkNotices: Readonly<Record<'live' | 'cache', Markup>> = {
  live: notice(
    'good',
    'USCIS answered just now. If the status changed, the timeline shows the change within seconds.',
  ),
  cache: notice('info', 'The status was checked less than 5 minutes ago, so USCIS was not asked again.'),
};

/** A live check, which counts for the live checks of the partner. The answer changes the case like every check. */
export const checkCase = consolePage({
  method: 'POST',
  path: '/console/cases/:case_ref/check',
  scope: 'check',
  params: casePath,
  async handle({ ask, params }) {
    const { case: row } = await ask('get_partner_case', { params });
    const { source } = await ask('check', {
      body: { receipt_number: row.receipt_number, max_age: maxAgeS },
    });
    return { to: `/console/cases/${row.user_case_id}?checked=${source}` };
  },
  refused: async (call, refusal) =>
    await caseView(call, call.params, { notice: notice('bad', refusal.message) }),
});
