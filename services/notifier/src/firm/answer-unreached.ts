import { maxUnreachedCases, toIso } from '@casewatch/contracts';
import type { RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** What urgent things reached no member of the firm: the console says so in red (firm.md §5). */
export function answerUnreached({ stores }: Context): RequestHandler<'notifier.unreached'> {
  return async ({ partner_id }) => {
    const rows = await stores.firmNews.unreachedOf(partner_id);
    const latest = rows[0]?.unreached_at;
    const cases = [...new Set(rows.map(({ user_case_id }) => user_case_id))];
    return {
      count: rows.length,
      latest_at: latest ? toIso(latest) : null,
      case_refs: cases.slice(0, maxUnreachedCases),
    };
  };
}
