import { maxTotal, toPartnerTime } from '@casewatch/contracts';
import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentPartnerFacts } from '../present/case.ts';
import { findCases } from './find-cases.ts';
import { createPageText } from './page-text.ts';

/** GET /v1/client/cases */
export function listPartnerCases(ctx: Context): Handler<'list_partner_cases'> {
  const textOf = createPageText(ctx, toPartnerTime);
  return async ({ caller, query }) => {
    const { partner_id } = caller;
    const { rows, page, filter } = await findCases(ctx, {
      operation: 'list_partner_cases',
      caller,
      owner: { partner_id, user_id: query.user_id },
      query,
    });
    const [languages, counted] = await Promise.all([
      ctx.identity.findLanguages(
        partner_id,
        rows.map((row) => row.user_id),
      ),
      ctx.stores.cases.countListed(filter, maxTotal + 1),
    ]);
    const total = counted === null ? null : Math.min(counted, maxTotal);
    const total_is_exact = counted !== null && counted <= maxTotal;
    return {
      json: await textOf({
        // The case of a deleted user is about to be erased.
        rows: languages ? rows.filter(({ user_id }) => languages.has(user_id)) : rows,
        page: { ...page, total, total_is_exact },
        present: (row) => presentPartnerFacts(row, toPartnerTime),
        languageOf: ({ user_id }) => languages?.get(user_id) ?? 'en',
      }),
    };
  };
}
