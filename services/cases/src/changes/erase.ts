import { type Session, transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { caseReferenceOf } from '../domain/case-event.ts';
import type { CaseRow } from '../store/cases.ts';

const casesPerTransaction = 25;
const updatesPerDeletion = 500;

/** Erases a case with its updates, frees its slot and publishes `case.deleted`. */
export async function eraseCase(ctx: Context, session: Session, row: CaseRow): Promise<void> {
  await ctx.stores.cases.erase(session, [row._id]);
  await ctx.stores.statusUpdates.eraseOf(session, [row._id]);
  await ctx.stores.acknowledgements.anonymizeCase(session, row._id);
  if (row.active) await ctx.stores.userStates.release(session, row.user_id);
  await ctx.outbox.addAll(session, 'case.deleted', [deletedEvent(row)]);
}

/**
 * Erases all data of a user whose tombstone is written, and publishes `case.deleted` for each case. May be repeated.
 * Updates have no limit, so they are erased before each transaction: MongoDB ends a transaction after 60 s.
 */
export async function eraseUser(ctx: Context, userId: number, at = ctx.clock.now()): Promise<void> {
  await ctx.stores.acknowledgements.anonymizeUser(userId);
  await ctx.ownChecks.eraseUser(userId);
  let erased = casesPerTransaction;
  while (erased === casesPerTransaction) {
    await eraseUpdates(ctx, userId);
    erased = await eraseBatch(ctx, userId, at);
  }
}

async function eraseBatch(ctx: Context, userId: number, at: Date): Promise<number> {
  return await transaction(ctx.db, async (session) => {
    await ctx.idempotency.erase(session, userId);
    const rows = await ctx.stores.cases.someOfUser(userId, { limit: casesPerTransaction, session });
    const ids = rows.map((row) => row._id);
    // Updates that were stored after `eraseUpdates`.
    await ctx.stores.statusUpdates.eraseOf(session, ids);
    for (const { partner_id, receipt_number } of rows)
      if (partner_id !== null) await ctx.ownChecks.eraseOfPartner(partner_id, [receipt_number]);
    await ctx.stores.cases.erase(session, ids);
    await ctx.outbox.addAll(session, 'case.deleted', rows.map(deletedEvent));
    if (rows.length < casesPerTransaction) await ctx.stores.userStates.tombstone(session, userId, at);
    return rows.length;
  });
}

async function eraseUpdates(ctx: Context, userId: number): Promise<void> {
  const rows = await ctx.stores.cases.someOfUser(userId, { limit: casesPerTransaction });
  const ids = rows.map((row) => row._id);
  let erased = updatesPerDeletion;
  while (erased === updatesPerDeletion)
    erased = await ctx.stores.statusUpdates.eraseSome(ids, updatesPerDeletion);
}

function deletedEvent(row: CaseRow) {
  return { subject: `case/${row._id}`, data: { case: caseReferenceOf(row), version: row.version + 1 } };
}
