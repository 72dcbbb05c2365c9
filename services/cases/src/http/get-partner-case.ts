import { toPartnerTime } from '@casewatch/contracts';
import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { readCase } from './read-case.ts';

/** GET /v1/client/cases/{case_ref}: the case with its user, its updates newest first, and how its watching fares. */
export function getPartnerCase(ctx: Context): Handler<'get_partner_case'> {
  return async ({ caller, params, query }) => ({
    body: await readCase(ctx, {
      operation: 'get_partner_case',
      caller,
      ref: params.case_ref,
      cursor: query.updates_cursor,
      time: toPartnerTime,
    }),
  });
}
