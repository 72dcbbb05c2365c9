import { describe, expect, it } from '@jest/globals';
import { createSlots } from '../../src/sending/slots.ts';

/** Writes `count` requests, each so many ms after its slot began; returns when. */
function run(count: number, lateMs: (n: number) => number, { ratePerSecond = 10, pace = () => 1 } = {}) {
  const slots = createSlots({ ratePerSecond, margin: 0.05, startMs: 0, pace });
  const times: number[] = [];
  let nowMs = 0;
  for (let n = 0; n < count; n++) {
    const slotMs = slots.nextMs(nowMs);
    nowMs = Math.max(nowMs, slotMs) + lateMs(n);
    if (!slots.isValid(slotMs, nowMs)) continue;
    slots.take(slotMs);
    slots.noteWrite(nowMs);
    times.push(nowMs);
  }
  return times;
}

const gapsOf = (times: number[]) => times.slice(1).map((time, i) => time - (times[i] ?? 0));

describe('slots', () => {
  it('stand one interval apart, with the margin, and begin one interval after a take-over', () => {
    const times = run(3, () => 0);
    expect(times[0]).toBeCloseTo(105.26, 1);
    for (const gap of gapsOf(times)) expect(gap).toBeCloseTo(105.26, 1);
  });

  it('lose no rate by late timers, and keep half of the margin between two requests', () => {
    const times = run(1_000, (n) => (n % 10 === 0 ? 15 : 0));
    const gaps = gapsOf(times);
    expect(Math.min(...gaps)).toBeGreaterThan(102.5);
    expect((times.at(-1) ?? 0) / times.length).toBeLessThan(105.4);
  });

  it('are not used before they begin, however long ago the last write was', () => {
    const slots = createSlots({ ratePerSecond: 10, margin: 0.05, startMs: 0, pace: () => 1 });
    const slotMs = slots.nextMs(1_000_000);
    for (const earlyMs of [0.001, 1, 50]) expect(slots.isValid(slotMs, slotMs - earlyMs)).toBe(false);
    expect(slots.isValid(slotMs, slotMs)).toBe(true);
    expect(slots.isValid(slotMs, slotMs + 20)).toBe(true);
  });

  it('are forfeited where they are more than 20 ms late', () => {
    const times = run(10, (n) => (n === 5 ? 21 : 0));
    expect(times).toHaveLength(9);
    expect(Math.min(...gapsOf(times))).toBeGreaterThan(102.5);
  });

  it('make up for a stall of a fifth of a second, at the least distance', () => {
    const times = run(1_000, (n) => (n === 100 ? 200 : 0));
    expect(Math.min(...gapsOf(times))).toBeGreaterThan(102.5);
    expect((times.at(-1) ?? 0) / times.length).toBeLessThan(105.4);
  });

  it('make up for no more than a quarter of a second', () => {
    const times = run(1_000, (n) => (n === 100 ? 5_000 : 0));
    expect(Math.min(...gapsOf(times))).toBeGreaterThan(102.5);
    expect((times.at(-1) ?? 0) - times.length * 105.26).toBeGreaterThan(4_700);
  });

  it('stand further apart as soon as the pace is lower', () => {
    let pace = 1;
    const slots = createSlots({ ratePerSecond: 10, margin: 0.05, startMs: 0, pace: () => pace });
    const slotMs = slots.nextMs(0);
    slots.take(slotMs);
    slots.noteWrite(slotMs);
    pace = 0.5;
    expect(slots.nextMs(slotMs) - slotMs).toBeCloseTo(210.5, 0);
  });
});
