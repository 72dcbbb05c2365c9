import { transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { caseReferenceOf } from '../domain/case-event.ts';

/** Cases that one transaction erases, each with all its updates. */
const batchSize = 25;

/**
 * Erases everything of a user whose deletion is already written, remembered answers too, and tells each case's end by
 * `case.deleted`. The acknowledgements stay without user, receipt and address. May be repeated from anywhere.
 */
export async function eraseUser(ctx: Context, userId: number): Promise<void> {
  await ctx.acknowledgements.forgetUser(userId);
  let erased = batchSize;
  while (erased === batchSize) erased = await eraseBatch(ctx, userId);
}

async function eraseBatch(ctx: Context, userId: number): Promise<number> {
  return await transaction(ctx.db, async (session) => {
    await ctx.idempotency.erase(session, userId);
    const rows = await ctx.cases.someOfUser(userId, { limit: batchSize, session });
    const ids = rows.map((row) => row._id);
    await ctx.statusUpdates.eraseOf(session, ids);
    await ctx.cases.erase(session, ids);
    const events = rows.map((row) => ({
      about: `case/${row._id}`,
      data: { case: caseReferenceOf(row), version: row.version + 1 },
    }));
    await ctx.outbox.addAll(session, 'case.deleted', events);
    if (rows.length < batchSize) await ctx.userStates.bury(session, userId, ctx.clock.now());
    return rows.length;
  });
}
