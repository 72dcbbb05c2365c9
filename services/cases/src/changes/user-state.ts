import { transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { caseStateOf } from '../domain/case-event.ts';
import { watchBegun, watchEnded } from '../domain/monitoring.ts';
import { isWatchable, type UserState } from '../domain/user-state.ts';

const casesPerTransaction = 100;

/**
 * Stores the user's state if its version is higher. Later transactions see it (architecture.md §4).
 * False if the status stays: then the event changes no case.
 */
export async function applyUserState(ctx: Context, userId: number, received: UserState): Promise<boolean> {
  return await ctx.stores.userStates.advance(userId, received);
}

/** Begins or ends the watch of the user's cases, by the stored state. Publishes `case.updated` for each change. */
export async function syncWatchedCases(ctx: Context, userId: number): Promise<void> {
  let changed = casesPerTransaction;
  while (changed === casesPerTransaction) changed = await syncBatch(ctx, userId);
}

async function syncBatch(ctx: Context, userId: number): Promise<number> {
  if (!(await hasCasesToChange(ctx, userId))) return 0;
  return await transaction(ctx.db, async (session) => {
    const state = await ctx.stores.userStates.lock(session, userId);
    if (state === null || state.deleted) return 0;
    const watched = isWatchable(state);
    const filter = { watched: !watched, limit: casesPerTransaction, session };
    const rows = await ctx.stores.cases.someOfUser(userId, filter);
    const changed = await ctx.stores.cases.change(
      session,
      rows.map((row) => row._id),
      watched ? watchBegun(ctx.clock.now()) : watchEnded(ctx.clock.now()),
    );
    const events = changed.map((row) => ({ subject: `case/${row._id}`, data: caseStateOf(row) }));
    await ctx.outbox.addAll(session, 'case.updated', events);
    return changed.length;
  });
}

/** Saves the transaction: most user events change no case. */
async function hasCasesToChange(ctx: Context, userId: number): Promise<boolean> {
  const state = await ctx.stores.userStates.find(userId);
  if (state === null || state.deleted) return false;
  const rows = await ctx.stores.cases.someOfUser(userId, { watched: !isWatchable(state), limit: 1 });
  return rows.length > 0;
}
