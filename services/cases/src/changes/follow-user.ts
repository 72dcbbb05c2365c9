import { transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { caseStateOf } from '../domain/case-event.ts';
import { watchBegun, watchEnded } from '../domain/monitoring.ts';
import { isWatchable, newerState, type UserState } from '../domain/user-state.ts';

/** Cases that one transaction changes. */
const batchSize = 100;

/**
 * Writes what was heard of a user, the higher version deciding: from here on no transaction goes by the older state
 * (architecture.md §4).
 */
export async function hearOfUser(ctx: Context, userId: number, heard: UserState): Promise<void> {
  await transaction(ctx.db, async (session) => {
    const known = await ctx.stores.userStates.find(userId, session);
    if (newerState(known, heard) === known) return;
    await ctx.stores.userStates.put(session, userId, heard);
  });
}

/** Makes a user's cases watched, or not, as the user's stored state says; each change is told by `case.updated`. */
export async function followUser(ctx: Context, userId: number): Promise<void> {
  let changed = batchSize;
  while (changed === batchSize) changed = await followBatch(ctx, userId);
}

async function followBatch(ctx: Context, userId: number): Promise<number> {
  if (!(await hasCasesToChange(ctx, userId))) return 0;
  return await transaction(ctx.db, async (session) => {
    const state = await ctx.stores.userStates.follow(session, userId);
    if (state === null || state.deleted) return 0;
    const watched = isWatchable(state);
    const rows = await ctx.stores.cases.someOfUser(userId, { watched: !watched, limit: batchSize, session });
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

/** Most events change nothing here: those need no transaction. */
async function hasCasesToChange(ctx: Context, userId: number): Promise<boolean> {
  const state = await ctx.stores.userStates.find(userId);
  if (state === null || state.deleted) return false;
  const rows = await ctx.stores.cases.someOfUser(userId, { watched: !isWatchable(state), limit: 1 });
  return rows.length > 0;
}
