import type { Signals } from '../signals.ts';
import type { Stores } from '../store/stores.ts';

type ErasureContext = { readonly stores: Stores; readonly signals: Signals };

/** Writes the tombstones first: an event that is stored in parallel finds them afterwards (store-events.ts). */
export async function eraseUsers(
  { stores, signals }: ErasureContext,
  userIds: readonly number[],
  at: Date,
): Promise<null[]> {
  await stores.erasedUsers.addAll(userIds, at);
  // Deliveries are erased before their events: a repetition after a crash finds the events again.
  if (!(await stores.events.haveUsers(userIds))) return userIds.map(() => null);
  await stores.deliveries.eraseUsers(userIds);
  signals.emit('erased', userIds);
  await stores.events.eraseUsers(userIds);
  return userIds.map(() => null);
}
