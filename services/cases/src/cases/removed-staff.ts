import type { EventHandler } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { changedCaseOf } from '../rules/case.ts';

const changedPerTransaction = 100;

type Removal = { partnerId: number; staffId: number; to: number | null };

/**
 * Gives the cases of a removed member to another one, or to nobody. The removal is noted first, so that no case is assigned to
 * the member later. Until a case is moved it shows nobody (identity no longer tells the name).
 */
export function onStaffDeleted(ctx: Context): EventHandler<'staff.deleted'> {
  return async ({ staff_id: staffId, partner_id: partnerId, reassign_to: to }) => {
    await ctx.stores.staffStates.remove(staffId, ctx.clock.now());
    let moved = changedPerTransaction;
    while (moved === changedPerTransaction) moved = await moveBatch(ctx, { partnerId, staffId, to });
  };
}

/** Publishes `case.updated` for each case. Returns how many were moved. */
async function moveBatch(ctx: Context, { partnerId, staffId, to }: Removal): Promise<number> {
  return await transaction(ctx.db, async (session) => {
    const { cases, staffStates, statusUpdates } = ctx.stores;
    const ids = await cases.someOfAssignee({ partnerId, staffId }, changedPerTransaction, session);
    if (ids.length === 0) return 0;
    // The other member may be removed meanwhile.
    const assignee_id = to !== null && (await staffStates.follow(session, to)) ? to : null;
    const changed = await cases.change(session, ids, { assignee_id, updated_at: ctx.clock.now() });
    await statusUpdates.setAssignee(session, ids, assignee_id);
    const events = changed.map((row) => ({ subject: `case/${row._id}`, data: changedCaseOf(row) }));
    await ctx.outbox.addAll(session, 'case.updated', events);
    return changed.length;
  });
}
