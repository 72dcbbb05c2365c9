import type { UserStatus } from '@casewatch/contracts';

/** What cases needs to know of a user; the higher version decides. */
export type UserState = { version: number; status: UserStatus; deleted: boolean };

/** Of what is known and what was just heard, the newer. A deleted user stays deleted. */
export function newerState(known: UserState | null, heard: UserState): UserState {
  if (known === null) return heard;
  if (known.deleted) return known;
  return heard.deleted || heard.version > known.version ? heard : known;
}

/** Whether the cases of such a user are watched: inactive and suspended users' are not (interface.md §3). */
export function isWatchable(state: UserState): boolean {
  return !state.deleted && state.status === 'active';
}
