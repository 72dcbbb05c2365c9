import type { UserStatus } from '@casewatch/contracts';

export type UserState = { version: number; status: UserStatus; deleted: boolean };

/** The state with the higher version. A deleted user stays deleted. */
export function newerState(stored: UserState | null, received: UserState): UserState {
  if (stored === null) return received;
  if (stored.deleted) return stored;
  return received.deleted || received.version > stored.version ? received : stored;
}

/** Cases of inactive and suspended users are not watched (interface.md §3). */
export function isWatchable(state: UserState): boolean {
  return !state.deleted && state.status === 'active';
}
