import type { Erasure } from '@casewatch/platform/database';
import type { Signals } from '../signals.ts';
import type { Stores } from '../store/stores.ts';

type ErasureContext = { readonly stores: Stores; readonly signals: Signals };

/** Writes the tombstones first: an event that is stored in parallel finds them afterwards (store-events.ts). */
export async function eraseUsers(
  { stores, signals }: ErasureContext,
  erasures: readonly Erasure[],
): Promise<null[]> {
  const userIds = erasures.map(({ user_id }) => user_id);
  await stores.erasedUsers.addAll(erasures);
  if (await stores.events.haveUsers(userIds)) await eraseRows({ stores, signals }, userIds);
  return userIds.map(() => null);
}

/** Erases rows of those of the users that have a tombstone: rows that an erasure has missed. */
export async function eraseMissed(ctx: ErasureContext, userIds: readonly number[]): Promise<null[]> {
  const erased = await ctx.stores.erasedUsers.among(userIds);
  if (erased.size > 0) await eraseRows(ctx, [...erased]);
  return userIds.map(() => null);
}

/** Deliveries before their events: a repetition after a crash finds the events again. */
async function eraseRows({ stores, signals }: ErasureContext, userIds: readonly number[]): Promise<void> {
  await stores.deliveries.eraseUsers(userIds);
  signals.emit('erased', userIds);
  await stores.events.eraseUsers(userIds);
}
