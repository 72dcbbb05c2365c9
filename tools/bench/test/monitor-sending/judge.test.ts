import { describe, expect, it } from '@jest/globals';
import { judge } from '../../src/monitor-sending/judge.ts';

const start = Date.parse('2026-11-21T12:00:00.000Z');

/** Requests at these seconds, as the stand-in writes them down. */
function ledger(seconds: number[], status = 200) {
  return seconds.map((s) => ({
    time: new Date(start + s * 1_000).toISOString(),
    receipt: 'EAC9999103403',
    status,
    monotonic_ms: 5_000 + s * 1_000,
  }));
}

const every = (from: number, to: number, stepS: number) =>
  Array.from({ length: Math.floor((to - from) / stepS) }, (_, i) => from + i * stepS);
const term = (fromS: number, toS: number, ending: 'killed' | 'frozen' | 'end', vacantS = toS) => ({
  fromMs: start + fromS * 1_000,
  toMs: start + toS * 1_000,
  ending,
  vacantMs: start + vacantS * 1_000,
});

describe('what the ledger says of a round', () => {
  it('is the rate used while a sender holds its lease, and how long each take-over took', () => {
    const rows = ledger([...every(0, 40, 0.25), ...every(55, 95, 0.25)]);
    const found = judge(rows, [term(0, 40, 'killed'), term(55, 95, 'end')], 4);
    expect(found).toMatchObject({ requests: 320, refused: 0, shortGaps: 0, used: 1, usedWorst: 1 });
    expect(found.leastGapMs).toBeCloseTo(250);
    expect(found.takeOvers).toEqual([15]);
  });

  it('counts a take-over from when somebody was there to take over', () => {
    const rows = ledger([...every(0, 40, 0.25), ...every(63, 100, 0.25)]);
    const found = judge(rows, [term(0, 40, 'frozen', 62), term(63, 100, 'end')], 4);
    expect(found.takeOvers).toEqual([1]);
  });

  it('counts gaps that are too short, refusals, and terms that were not used', () => {
    const rows = [...ledger([0, 0.2, 0.45]), ...ledger([1], 429)];
    const found = judge(rows, [term(0, 30, 'killed'), term(40, 70, 'end')], 4);
    expect(found).toMatchObject({
      shortGaps: 1,
      refused: 1,
      usedWorst: 0,
      takeOvers: [Number.POSITIVE_INFINITY],
    });
    expect(found.used).toBeCloseTo(4 / 240);
  });
});
