import { describe, expect, it } from '@jest/globals';
import { delayAfter, monitoringOf, type WatchFacts, watchBegun } from './watching.ts';

const day = (n: number) => new Date(Date.UTC(2026, 10, n));

function facts(over: Partial<WatchFacts> = {}): WatchFacts {
  return {
    watched: true,
    watched_since: day(1),
    watched_version: 1,
    last_checked: day(2),
    overdue_since: null,
    monitoring: { state: 'watched', since: day(1), next_check_at: day(3), revision: 1 },
    ...over,
  };
}

describe('the monitoring state of a case', () => {
  it('is what the monitor said', () => {
    expect(monitoringOf(facts())).toEqual({ state: 'watched', since: day(1), next_check_at: day(3) });
  });

  it('is paused while the case is not watched, whatever the monitor said', () => {
    const paused = facts({ watched: false, watched_since: day(5) });
    expect(monitoringOf(paused)).toEqual({ state: 'paused', since: day(5), next_check_at: null });
  });

  it('starts over with each watch, whatever was reported in an earlier one', () => {
    const monitoring = { state: 'not_found', since: day(2), next_check_at: null, revision: 4 } as const;
    const again = { ...facts({ monitoring, overdue_since: day(3) }), ...watchBegun(day(5)) };
    expect(monitoringOf(again)).toEqual({ state: 'watched', since: day(5), next_check_at: null });
    expect(again.monitoring.revision).toBe(0);
  });

  it('is overdue while a check is late', () => {
    expect(monitoringOf(facts({ overdue_since: day(4) }))).toMatchObject({ state: 'overdue', since: day(4) });
    const monitoring = { state: 'rejected', since: day(6), next_check_at: null, revision: 2 } as const;
    expect(monitoringOf(facts({ overdue_since: day(7), monitoring }))).toMatchObject({ state: 'rejected' });
  });

  it('is late until something newer is known', () => {
    expect(delayAfter(day(4), day(5))).toBeNull();
    expect(delayAfter(day(4), day(4))).toEqual(day(4));
    expect(delayAfter(day(4), day(3))).toEqual(day(4));
    expect(delayAfter(null, day(3))).toBeNull();
  });
});
