import { createFollowedClock, type FollowedClock } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** Of the database at the beginning. */
const noon = Date.parse('2026-11-28T12:00:00.000Z');

type Line = { alarm?: string; [field: string]: unknown };

/** A process, its machine and its database: each clock goes on with `pass`, and is set by itself. */
function machine() {
  let monotonicMs = 7_000;
  let wallMs = noon;
  let databaseMs = noon;
  const lines: Line[] = [];
  const note = (fields: Line) => void lines.push(fields);
  const log = { error: note, warn: note, info: note } as never;
  const clock: FollowedClock = createFollowedClock({
    source: 'database',
    log,
    moment: () => ({ monotonicMs, wallMs }),
  });
  function pass(ms: number): void {
    monotonicMs += ms;
    wallMs += ms;
    databaseMs += ms;
  }
  return {
    clock,
    pass,
    alarms: () => lines.flatMap(({ alarm }) => alarm ?? []),
    /** How far the time is ahead of the database's. */
    ahead: () => clock.now().getTime() - databaseMs,
    setDatabase(ms: number): void {
      databaseMs += ms;
    },
    setWall(ms: number): void {
      wallMs += ms;
    },
    suspend(ms: number): void {
      wallMs += ms;
      databaseMs += ms;
    },
    /** A question of `ms`, whose answer is made after `part` of it. */
    read(ms = 2, part = 0.5, during = () => {}): void {
      const sent = clock.moment();
      pass(ms * part);
      const answer = databaseMs;
      during();
      pass(ms * (1 - part));
      clock.learn(answer, sent);
    },
    /** Heartbeats every 2 s for so long. `check`: after each 100 ms. */
    beat(forMs: number, check = () => {}): void {
      for (let passed = 0; passed < forMs; passed += 2 * second) {
        this.read(0);
        for (let i = 0; i < 20; i++) {
          pass(100);
          check();
        }
      }
    },
  };
}

describe('the time of another clock', () => {
  it('is the machine’s own before the first answer, and then the other’s as it is, however far away', () => {
    for (const far of [0, 1.5 * second, hour, -hour, 400 * 24 * hour]) {
      const m = machine();
      m.setDatabase(far);
      expect(m.clock.isMeasured()).toBe(false);
      expect(m.ahead()).toBe(0 - far);
      m.read();
      expect(m.clock.isMeasured()).toBe(true);
      expect(m.ahead()).toBe(0);
      expect(m.alarms()).toEqual([]);
    }
  });

  it.each([hour, -hour, 25 * second, -25 * second])(
    'does not change when the machine’s clock is set by %d ms, and back',
    (ms) => {
      const m = machine();
      m.read();
      for (const set of [ms, -ms]) {
        m.setWall(set);
        expect(m.ahead()).toBe(0);
        m.beat(10 * second, () => expect(m.ahead()).toBe(0));
      }
      expect(m.alarms()).toEqual([]);
    },
  );

  it.each([
    [250, true],
    [251, false],
    [400, false],
    [9_000, false],
  ])('counts an answer after %d ms: %s', (ms, counts) => {
    const m = machine();
    m.read(ms);
    expect(m.clock.isMeasured()).toBe(counts);
    m.read();
    m.setDatabase(second);
    m.read(ms);
    m.pass(30 * second);
    expect(m.ahead()).toBe(counts ? 0 : -second);
  });

  it('is wrong by half of a round trip at most', () => {
    for (const part of [0, 0.2, 0.9, 1]) {
      const m = machine();
      m.read(250, part);
      expect(Math.abs(m.ahead())).toBeLessThanOrEqual(125);
    }
  });

  it.each([300, -300, second, -second, 2 * second, -2 * second])(
    'follows a difference of %d ms by at most 5 %%, and never goes back',
    (ms) => {
      const m = machine();
      m.read();
      m.setDatabase(ms);
      let last = m.clock.now().getTime();
      m.read(0);
      // Not by a step.
      expect(Math.abs(m.clock.now().getTime() - last)).toBeLessThanOrEqual(1);
      m.beat(40 * second, () => {
        const now = m.clock.now().getTime();
        // Two roundings to whole ms.
        expect(now - last).toBeGreaterThanOrEqual(95 - 1);
        expect(now - last).toBeLessThanOrEqual(105 + 1);
        last = now;
      });
      expect(Math.abs(m.ahead())).toBeLessThanOrEqual(1);
      expect(m.alarms()).toEqual([]);
    },
  );

  it.each([2_001, -2_001, 25 * second, -25 * second, hour, -hour])(
    'does not follow a jump of %d ms for ten minutes, says so once, and takes it then',
    (ms) => {
      const m = machine();
      m.read();
      m.setDatabase(ms);
      m.beat(10 * minute, () => expect(m.ahead()).toBe(-ms));
      expect(m.alarms()).toEqual(['clock_jump']);
      expect(m.clock.differences()).toEqual({ wallMs: 0, sourceMs: ms });
      m.beat(2 * second);
      expect(m.ahead()).toBe(0);
      expect(m.clock.differences()).toEqual({ wallMs: -ms, sourceMs: 0 });
    },
  );

  it.each([hour, -hour])('goes on through a jump of %d ms and back', (ms) => {
    const m = machine();
    m.read();
    for (const [set, forMs] of [
      [ms, 9 * minute],
      [-ms, 9 * minute],
      [ms, 9 * minute],
    ] as const) {
      m.setDatabase(set);
      m.beat(forMs);
    }
    m.setDatabase(-ms);
    m.beat(10 * second, () => expect(m.ahead()).toBe(0));
    expect(m.alarms()).toEqual(['clock_jump', 'clock_jump']);
  });

  it('does not take a jump that moved on, or that nobody saw stand', () => {
    const moving = machine();
    moving.read();
    for (let i = 0; i < 5; i++) {
      moving.setDatabase(hour);
      moving.beat(9 * minute);
    }
    expect(moving.ahead()).toBe(-5 * hour);
    const unseen = machine();
    unseen.read();
    unseen.setDatabase(hour);
    unseen.read();
    // The database did not answer in between.
    unseen.pass(11 * minute);
    unseen.read();
    unseen.beat(8 * minute);
    expect(unseen.ahead()).toBe(-hour);
  });

  it('is not known after a suspension of the machine, until it is read again', () => {
    for (const ms of [2_001, 30 * second, 9 * hour]) {
      const m = machine();
      m.read();
      m.suspend(ms);
      expect(m.clock.isSuspended()).toBe(true);
      expect(m.clock.isMeasured()).toBe(false);
      // A late answer to an earlier question, and messages that waited.
      m.read(300);
      m.clock.learn(noon);
      expect(m.clock.isSuspended()).toBe(true);
      m.read();
      expect(m.clock.isSuspended()).toBe(false);
      expect(m.ahead()).toBe(0);
      expect(m.alarms()).toEqual([]);
    }
  });

  it('is not taken from an answer that a suspension made late', () => {
    const m = machine();
    m.read();
    m.read(2, 0.5, () => m.suspend(hour));
    expect(m.clock.isSuspended()).toBe(true);
    m.read();
    expect(m.ahead()).toBe(0);
  });

  it('stays known where the machine slept less, or its clock was set back', () => {
    const m = machine();
    m.read();
    m.setWall(2 * second);
    expect(m.clock.isSuspended()).toBe(false);
    m.setWall(-hour);
    expect(m.clock.isSuspended()).toBe(false);
    expect(m.ahead()).toBe(0);
  });

  it('is kept by messages that nobody asked for, and never begun by them', () => {
    const m = machine();
    m.setDatabase(hour);
    m.clock.learn(noon);
    expect(m.clock.isMeasured()).toBe(false);
    m.read();
    m.setDatabase(second);
    for (let i = 0; i < 30; i++) {
      m.clock.learn(m.clock.now().getTime() - m.ahead());
      m.pass(second);
    }
    expect(Math.abs(m.ahead())).toBeLessThanOrEqual(1);
  });

  it('is not moved by messages that waited in a frozen process', () => {
    const m = machine();
    m.read();
    const waiting = Array.from({ length: 60 }, () => {
      m.pass(second);
      return m.clock.now().getTime();
    });
    for (const at of waiting) m.clock.learn(at);
    m.clock.learn(m.clock.now().getTime());
    m.pass(second);
    expect(Math.abs(m.ahead())).toBeLessThanOrEqual(100);
  });
});
