import { transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { caseReferenceOf } from '../domain/case-event.ts';

/** Cases that one transaction erases. */
const batchSize = 25;
/** Updates that one deletion erases. */
const updatesAtOnce = 500;

/**
 * Erases everything of a user whose deletion is already written, remembered answers too, and tells each case's end by
 * `case.deleted`. The acknowledgements stay without user, receipt and address. May be repeated from anywhere.
 *
 * The updates go first, outside the transaction: MongoDB ends a transaction after 60 s
 * (`transactionLifetimeLimitSeconds`), and a user's updates have no limit.
 */
export async function eraseUser(ctx: Context, userId: number): Promise<void> {
  await ctx.stores.acknowledgements.forgetUser(userId);
  let erased = batchSize;
  while (erased === batchSize) erased = await eraseBatch(ctx, userId);
}

async function eraseBatch(ctx: Context, userId: number): Promise<number> {
  await eraseUpdates(ctx, userId);
  return await transaction(ctx.db, async (session) => {
    await ctx.idempotency.erase(session, userId);
    const rows = await ctx.stores.cases.someOfUser(userId, { limit: batchSize, session });
    const ids = rows.map((row) => row._id);
    // Those that came since.
    await ctx.stores.statusUpdates.eraseOf(session, ids);
    await ctx.stores.cases.erase(session, ids);
    const events = rows.map((row) => ({
      subject: `case/${row._id}`,
      data: { case: caseReferenceOf(row), version: row.version + 1 },
    }));
    await ctx.outbox.addAll(session, 'case.deleted', events);
    if (rows.length < batchSize) await ctx.stores.userStates.bury(session, userId, ctx.clock.now());
    return rows.length;
  });
}

/** Erases the updates of the cases that the next transaction erases. */
async function eraseUpdates(ctx: Context, userId: number): Promise<void> {
  const rows = await ctx.stores.cases.someOfUser(userId, { limit: batchSize });
  const ids = rows.map((row) => row._id);
  let erased = updatesAtOnce;
  while (erased === updatesAtOnce) erased = await ctx.stores.statusUpdates.eraseSome(ids, updatesAtOnce);
}
