import type { Handler } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { caseReferenceOf } from '../rules/case.ts';
import type { CaseRow } from '../store/cases.ts';
import { ownCase } from './own-case.ts';

/** DELETE /v1/users/{user_id}/cases/{case_ref} */
export function deleteCase(ctx: Context): Handler<'delete_case'> {
  return async ({ caller, params }) => {
    await transaction(ctx.db, async (session) => {
      const path = { ref: params.case_ref, userId: params.user_id, session };
      await eraseCase(ctx, session, await ownCase(ctx, caller, path));
    });
    return { body: { success: true, message: 'Case deleted. It is no longer monitored.' } };
  };
}

/** Erases a case with its updates, frees its slot and publishes `case.deleted`. */
async function eraseCase(ctx: Context, session: Session, row: CaseRow): Promise<void> {
  await ctx.stores.cases.erase(session, [row._id]);
  await ctx.stores.statusUpdates.eraseOf(session, [row._id]);
  await ctx.stores.acknowledgements.anonymizeCase(session, row._id);
  if (row.active) await ctx.stores.userStates.release(session, row.user_id);
  await ctx.outbox.addAll(session, 'case.deleted', [deletedEvent(row)]);
}

/** Data of `case.deleted`. */
export function deletedEvent(row: CaseRow) {
  return { subject: `case/${row._id}`, data: { case: caseReferenceOf(row), version: row.version + 1 } };
}
