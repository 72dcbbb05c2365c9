import type { Session } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { caseReferenceOf } from '../domain/case-event.ts';
import type { CaseRow } from '../store/cases.ts';

/**
 * Erases one case with its updates, frees its place and tells its end by `case.deleted`, all in this transaction. The
 * acknowledgement stays without user, receipt and address.
 */
export async function eraseCase(ctx: Context, session: Session, row: CaseRow): Promise<void> {
  await ctx.stores.cases.erase(session, [row._id]);
  await ctx.stores.statusUpdates.eraseOf(session, [row._id]);
  await ctx.stores.acknowledgements.forgetCase(session, row._id);
  if (row.active) await ctx.stores.userStates.release(session, row.user_id);
  const data = { case: caseReferenceOf(row), version: row.version + 1 };
  await ctx.outbox.add(session, 'case.deleted', `case/${row._id}`, data);
}
