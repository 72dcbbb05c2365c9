import { type MorningReply, maxFirms, type RequestData, toIso, userCaseId } from '@casewatch/contracts';
import type { RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { respondByOf } from '../rules/status-update.ts';
import type { CaseRow } from '../store/cases.ts';
import type { ChangeRow } from '../store/status-updates.ts';

/** Dates that are counted. */
const maxDue = 500;

/** What is open at a firm for one of its members: changes that nobody has reviewed, and answers that are due. */
export function answerMorning(ctx: Context): RequestHandler<'cases.morning'> {
  return async (asked) => {
    const { statusUpdates, cases } = ctx.stores;
    const reader = readerOf(asked);
    const [changes, total, due, user_ids] = await Promise.all([
      statusUpdates.findUnreviewed({ ...reader, limit: asked.limit }),
      statusUpdates.countUnreviewed(reader),
      cases.dueBetween(reader, asked, maxDue),
      cases.usersAmong(reader, asked.user_ids),
    ]);
    const rows = await cases.findSome([...new Set(changes.map(({ case_id }) => case_id))]);
    const caseOf = new Map(rows.map((row) => [row._id, row]));
    return {
      // A case that is gone was erased meanwhile.
      changes: changes.flatMap((change) => {
        const ofCase = caseOf.get(change.case_id);
        return ofCase ? [openChange(change, ofCase)] : [];
      }),
      total,
      due: due.slice(0, asked.limit).flatMap((row) => {
        const { respond_by } = row;
        return respond_by ? [{ ...openCase(row), respond_by }] : [];
      }),
      due_total: due.length,
      user_ids,
    };
  };
}

/** The partners that have cases. */
export function answerFirms({ stores }: Context): RequestHandler<'cases.firms'> {
  return async ({ after }) => ({ partner_ids: await stores.cases.partnersAfter(after, maxFirms) });
}

function readerOf(asked: RequestData<'cases.morning'>) {
  const { partner_id: partnerId, staff_id: staffId, scope, active_ids: activeIds = null } = asked;
  return { partnerId, staffId, scope, activeIds };
}

function openCase({ _id, user_id, reference }: CaseRow) {
  return { user_id, user_case_id: userCaseId(_id), reference };
}

/** The day for an answer is that of the case, while this is its latest update. */
function openChange(row: ChangeRow, ofCase: CaseRow): MorningReply['changes'][number] {
  const common = { ...openCase(ofCase), urgent: row.change.urgent, receipt_number: ofCase.receipt_number };
  if ('monitoring' in row) {
    const { state, since } = row.monitoring;
    const none = { respond_by: null, is_answered: false, status: null };
    return { ...common, ...none, observed_at: toIso(since), monitoring: state };
  }
  const { status_code, status_code_es, status_code_pt, kind, spanish_source } = row;
  const isOpen = ofCase.latest_update?.id === row._id && ofCase.respond_done === null;
  const previous_status_code = row.change.previous_status_code;
  return {
    ...common,
    observed_at: toIso(row.timestamp),
    respond_by: isOpen ? respondByOf(row) : null,
    is_answered: !isOpen,
    status: {
      ...{ status_code, status_code_es, status_code_pt, kind, previous_status_code },
      spanish_source: spanish_source ?? null,
    },
    monitoring: null,
  };
}
