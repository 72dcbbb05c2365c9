import { toIso } from '@casewatch/contracts';
import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentFacts } from '../present/case.ts';
import type { ListedCase } from '../store/case-pages.ts';
import { findCases } from './find-cases.ts';
import { createPageText } from './page-text.ts';
import { userOfCaller } from './user-of-caller.ts';

/** GET /v1/users/{user_id}/cases */
export function listCases(ctx: Context): Handler<'list_cases'> {
  const textOf = createPageText(ctx, toIso);
  return async ({ caller, params, query }) => {
    const owner = { user_id: params.user_id };
    const [user, listed] = await Promise.allSettled([
      userOfCaller(ctx, caller, { userId: params.user_id, fields: ['preferred_language'] }),
      findCases(ctx, { operation: 'list_cases', caller, owner, query }),
    ]);
    if (user.status === 'rejected') throw user.reason;
    if (listed.status === 'rejected') throw listed.reason;
    const { preferred_language } = user.value;
    const present = (row: ListedCase) => presentFacts(row, toIso);
    return { json: await textOf({ ...listed.value, present, languageOf: () => preferred_language }) };
  };
}
