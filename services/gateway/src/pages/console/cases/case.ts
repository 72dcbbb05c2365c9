import { z } from 'zod';
import { optionalText } from '../../parts/form-values.ts';
import { consolePage } from '../console-page.ts';
import { casePath } from './case-path.ts';
import { caseView } from './case-view.ts';
import { checkNotices } from './check-case.ts';

/** Everything about one case: each status, what it means, and who was told. */
export const casePage = consolePage({
  method: 'GET',
  path: '/console/cases/:case_ref',
  scope: 'cases:read',
  params: casePath,
  query: z.object({ updates_cursor: optionalText, checked: z.enum(['live', 'cache']).optional() }),
  async handle(call) {
    const { updates_cursor, checked } = call.query;
    const notice = checked && checkNotices[checked];
    return await caseView(call, call.params, { updates_cursor, notice });
  },
});
