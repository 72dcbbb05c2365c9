import type { MonitoringState, UserStatus } from '@casewatch/contracts';

export type UserState = { version: number; status: UserStatus; deleted: boolean };

/** The state with the higher version. A deleted user stays deleted. */
export function newerState(stored: UserState | null, received: UserState): UserState {
  if (stored === null) return received;
  if (stored.deleted) return stored;
  return received.deleted || received.version > stored.version ? received : stored;
}

/** Cases of inactive and suspended users are not watched. */
export function isWatchable(state: UserState): boolean {
  return !state.deleted && state.status === 'active';
}

export type WatchFacts = {
  watched: boolean;
  watched_since: Date;
  /** Version of the case with which its latest watch began. */
  watched_version: number;
  last_checked: Date | null;
  /** A check is late since then. Null again with the next check or report of the monitor: the store's writes see to it. */
  overdue_since: Date | null;
  /** The monitor's latest report in this watch; `revision` is the receipt's, 0 before the first report. */
  monitoring: { state: MonitoringState; since: Date | null; next_check_at: Date | null; revision: number };
};

type Monitoring = Omit<WatchFacts['monitoring'], 'revision'>;

/** Reports of an earlier watch are dropped: the monitor may have forgotten the receipt since then. */
export function watchBegun(now: Date): Omit<WatchFacts, 'last_checked' | 'watched_version'> {
  const monitoring = { state: 'watched', since: now, next_check_at: null, revision: 0 } as const;
  return { watched: true, watched_since: now, overdue_since: null, monitoring };
}

export function watchEnded(now: Date): Pick<WatchFacts, 'watched' | 'watched_since'> {
  return { watched: false, watched_since: now };
}

/** A check, or a newer report of the monitor, ends a delay: the monitor also says that checks continue, and either event may come first. */
export function delayAfter(overdueSince: Date | null, at: Date): Date | null {
  return overdueSince !== null && overdueSince < at ? null : overdueSince;
}

/**
 * Monitoring status of a case, as the filter `monitoring` of lists also says it (store/cases.ts). Overdue ends with the next
 * check, so a lost event does no harm.
 */
export function monitoringOf(
  facts: Pick<WatchFacts, 'watched' | 'watched_since' | 'overdue_since' | 'monitoring'>,
): Monitoring {
  if (!facts.watched) return { state: 'paused', since: facts.watched_since, next_check_at: null };
  const { state, since, next_check_at } = facts.monitoring;
  if (state === 'watched' && facts.overdue_since !== null)
    return { state: 'overdue', since: facts.overdue_since, next_check_at };
  return { state, since, next_check_at };
}
