import type { MonitoringState } from '@casewatch/contracts';

/** What is stored about the watching of a case. */
export type WatchFacts = {
  watched: boolean;
  watched_since: Date;
  last_checked: Date | null;
  overdue_since: Date | null;
  /** As the monitor said it last in this watch; `revision` is the receipt's, 0 before its first word. */
  monitoring: { state: MonitoringState; since: Date | null; next_check_at: Date | null; revision: number };
};

export type Monitoring = Omit<WatchFacts['monitoring'], 'revision'>;
type WatchBegun = Omit<WatchFacts, 'last_checked'>;

/**
 * A watch that begins, for the first time or again. The monitor may have forgotten the receipt meanwhile, and tells
 * what it knows of it anew: what it said in an earlier watch holds no more.
 */
export function watchBegun(now: Date): WatchBegun {
  const monitoring = { state: 'watched', since: now, next_check_at: null, revision: 0 } as const;
  return { watched: true, watched_since: now, overdue_since: null, monitoring };
}

/** A watch that ends; what the monitor said stays as it was. */
export function watchEnded(now: Date): Pick<WatchFacts, 'watched' | 'watched_since'> {
  return { watched: false, watched_since: now };
}

/**
 * How the watching fares: whether a case is watched is known here, the rest is the monitor's word. Overdue ends with
 * the next check by itself, so a lost message about it leaves nothing behind.
 */
export function monitoringOf(facts: WatchFacts): Monitoring {
  if (!facts.watched) return { state: 'paused', since: facts.watched_since, next_check_at: null };
  const { state, since, next_check_at } = facts.monitoring;
  if (state === 'watched' && isOverdue(facts))
    return { state: 'overdue', since: facts.overdue_since, next_check_at };
  return { state, since, next_check_at };
}

function isOverdue({ overdue_since: since, last_checked: checked, monitoring }: WatchFacts): boolean {
  if (since === null) return false;
  // The monitor says so too when it is checked again; of both words one may be late.
  const isSaidSince = monitoring.since !== null && monitoring.since > since;
  return !isSaidSince && (checked === null || checked <= since);
}
