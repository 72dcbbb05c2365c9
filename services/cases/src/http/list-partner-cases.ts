import { toPartnerTime } from '@casewatch/contracts';
import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentPartnerCase } from '../present/case.ts';
import { findCases } from './find-cases.ts';

/** GET /v1/client/cases */
export function listPartnerCases(ctx: Context): Handler<'list_partner_cases'> {
  return async ({ caller, query }) => {
    const { partner_id } = caller;
    const { rows, page } = await findCases(ctx, {
      operation: 'list_partner_cases',
      caller,
      owner: { partner_id, user_id: query.user_id },
      query,
    });
    const languages = await ctx.identity.findLanguages(
      partner_id,
      rows.map((row) => row.user_id),
    );
    const view = { time: toPartnerTime, now: ctx.clock.now() };
    return {
      body: {
        cases: rows.flatMap((row) => {
          // The case of a deleted user is about to be erased.
          const language = languages ? languages.get(row.user_id) : 'en';
          return language ? [presentPartnerCase(row, { language, ...view })] : [];
        }),
        ...page,
      },
    };
  };
}
