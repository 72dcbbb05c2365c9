import { maxStaffAlerts, toIso } from '@casewatch/contracts';
import type { RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** What a member was told of, page by page, for the member's export. */
export function answerOfStaff({ stores }: Context): RequestHandler<'notifier.of_staff'> {
  return async ({ partner_id, staff_id, after }) => {
    const rows = await stores.alerts.ofStaff({ partner_id, staff_id }, { after, limit: maxStaffAlerts });
    return {
      alerts: rows.map(({ _id: id, kind, case_id, status, sent_at }) => ({
        id,
        kind,
        case_id,
        status,
        sent_at: sent_at && toIso(sent_at),
      })),
    };
  };
}
