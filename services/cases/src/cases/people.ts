import type { EventData } from '@casewatch/contracts';
import type { EventHandler } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { changedCaseOf } from '../rules/case.ts';
import { isWatchable, watchBegun, watchEnded } from '../rules/watching.ts';
import { deletedEvent } from './delete-case.ts';

const changedPerTransaction = 100;
const erasedPerTransaction = 25;
const updatesPerDeletion = 500;

/** A stale event changes no state, but it completes a sync that was interrupted. */
export function onUserChanged(ctx: Context) {
  return async ({ user_id, version, status }: EventData<'user.updated'>): Promise<void> => {
    const mayChange = await ctx.stores.userStates.advance(user_id, { version, status, deleted: false });
    if (mayChange) await syncWatchedCases(ctx, user_id);
  };
}

/** Writes the tombstone first, so that no case can be created during the erasure. */
export function onUserDeleted(ctx: Context): EventHandler<'user.deleted'> {
  return async ({ user_id, version }) => {
    await ctx.stores.userStates.advance(user_id, { version, status: 'inactive', deleted: true });
    await eraseUser(ctx, user_id);
  };
}

/** As `user.deleted`, which the stream does not keep as long: also for people whom a restored backup brought back. */
export function onErasureRecorded(ctx: Context): EventHandler<'erasure.recorded'> {
  return async ({ user_id, erased_at }) => {
    // A deleted user stays deleted, whatever the version.
    await ctx.stores.userStates.advance(user_id, { version: 1, status: 'inactive', deleted: true });
    await eraseUser(ctx, user_id, new Date(erased_at));
  };
}

/** Begins or ends the watch of the user's cases, by the stored state. Publishes `case.updated` for each change. */
async function syncWatchedCases(ctx: Context, userId: number): Promise<void> {
  let changed = changedPerTransaction;
  while (changed === changedPerTransaction) changed = await syncBatch(ctx, userId);
}

async function syncBatch(ctx: Context, userId: number): Promise<number> {
  if (!(await hasCasesToChange(ctx, userId))) return 0;
  return await transaction(ctx.db, async (session) => {
    const state = await ctx.stores.userStates.lock(session, userId);
    if (state === null || state.deleted) return 0;
    const watched = isWatchable(state);
    const filter = { watched: !watched, limit: changedPerTransaction, session };
    const rows = await ctx.stores.cases.someOfUser(userId, filter);
    const changed = await ctx.stores.cases.change(
      session,
      rows.map((row) => row._id),
      watched ? watchBegun(ctx.clock.now()) : watchEnded(ctx.clock.now()),
    );
    const events = changed.map((row) => ({ subject: `case/${row._id}`, data: changedCaseOf(row) }));
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

/**
 * Erases all data of a user whose tombstone is written, and publishes `case.deleted` for each case. May be repeated.
 * Updates have no limit, so they are erased before each transaction: MongoDB ends a transaction after 60 s.
 */
async function eraseUser(ctx: Context, userId: number, at = ctx.clock.now()): Promise<void> {
  await ctx.stores.acknowledgements.anonymizeUser(userId);
  await ctx.ownChecks.eraseUser(userId);
  await ctx.stores.imports.erasePerson(userId);
  let erased = erasedPerTransaction;
  while (erased === erasedPerTransaction) {
    await eraseUpdates(ctx, userId);
    erased = await eraseBatch(ctx, userId, at);
  }
}

async function eraseBatch(ctx: Context, userId: number, at: Date): Promise<number> {
  return await transaction(ctx.db, async (session) => {
    await ctx.idempotency.erase(session, userId);
    const rows = await ctx.stores.cases.someOfUser(userId, { limit: erasedPerTransaction, session });
    const ids = rows.map((row) => row._id);
    // Updates that were stored after `eraseUpdates`.
    await ctx.stores.statusUpdates.eraseOf(session, ids);
    for (const { partner_id, receipt_number } of rows)
      if (partner_id !== null) await ctx.ownChecks.eraseOfPartner(session, partner_id, receipt_number);
    await ctx.stores.cases.erase(session, ids);
    await ctx.outbox.addAll(session, 'case.deleted', rows.map(deletedEvent));
    if (rows.length < erasedPerTransaction) await ctx.stores.userStates.tombstone(session, userId, at);
    return rows.length;
  });
}

async function eraseUpdates(ctx: Context, userId: number): Promise<void> {
  const rows = await ctx.stores.cases.someOfUser(userId, { limit: erasedPerTransaction });
  const ids = rows.map((row) => row._id);
  let erased = updatesPerDeletion;
  while (erased === updatesPerDeletion)
    erased = await ctx.stores.statusUpdates.eraseSome(ids, updatesPerDeletion);
}
