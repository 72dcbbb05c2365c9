import { backoffMs } from './backoff.ts';

/** How the handling of an event ended this time. */
export type Outcome = 'done' | 'away' | 'not yet' | 'failed' | 'dead';

export type Pace = {
  isSlow(): boolean;
  /** How long to wait before the next event is asked for, ms. */
  waitMs(): number;
  note(outcome: Outcome): void;
};

const firstPauseMs = 1_000;
const longestPauseMs = 5_000;

/**
 * Slows a consumer down while most of its `recent` events end as *away*: what all of them depend on is away, and asking for
 * more only sends more back. Then one event at a time is tried, until one ends in another way.
 */
export function createPace(recent: number): Pace {
  let outcomes: Outcome[] = [];
  let pauses = 0;
  function isSlow(): boolean {
    const away = outcomes.filter((outcome) => outcome === 'away').length;
    return away > Math.max(2, outcomes.length / 2);
  }
  return {
    isSlow,
    waitMs() {
      pauses = isSlow() ? pauses + 1 : 0;
      return pauses === 0 ? 0 : backoffMs(pauses, firstPauseMs, longestPauseMs);
    },
    note(outcome) {
      outcomes = outcome !== 'away' && isSlow() ? [] : [...outcomes, outcome].slice(-recent);
    },
  };
}
