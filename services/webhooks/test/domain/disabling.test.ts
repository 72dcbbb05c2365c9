import { describe, expect, it } from '@jest/globals';
import { earliestEnd, type Failing, nextStage } from '../../src/domain/disabling.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2026, 10, 16, 9);
const at = (hours: number) => new Date(start + hours * hourMs);
const since = at(0);

/** Fails since the start; the last failure was after these hours. */
function failing(hours: number, more: Partial<Failing> = {}): Failing {
  return { failing_since: since, last_delivery_at: at(hours), failures: 10, notice: null, ...more };
}

const half = { stage: 'half', since, at: at(60), mailed: true } as const;
const warned = { stage: 'nine_tenths', since, at: at(108), mailed: true } as const;

describe('a failing endpoint', () => {
  it.each([
    ['is not judged in the first 60 hours', failing(59.9), null],
    ['is warned about after 60 hours', failing(60), 'half'],
    ['is warned about once', failing(80, { notice: half }), null],
    [
      'is judged again when the mail of the last notice is sent',
      failing(130, { notice: { ...warned, mailed: false } }),
      null,
    ],
    ['is warned about again after 108 hours', failing(108, { notice: half }), 'nine_tenths'],
    ['is not warned about a third time', failing(119.9, { notice: warned }), null],
    ['is disabled after 120 hours', failing(120, { notice: warned }), 'disabled'],
    ['is not judged by fewer than ten attempts', failing(500, { failures: 9 }), null],
    ['is never disabled without the last warning', failing(500, { notice: half }), 'nine_tenths'],
    ['has twelve hours after the last warning', failing(211.9, { notice: { ...warned, at: at(200) } }), null],
    ['is disabled then', failing(212, { notice: { ...warned, at: at(200) } }), 'disabled'],
    [
      'is warned again after a success',
      failing(70, { notice: { ...half, since: at(-300), at: at(-240) } }),
      'half',
    ],
    [
      'is not disabled by warnings of before',
      failing(130, { notice: { ...warned, since: at(-9) } }),
      'nine_tenths',
    ],
  ])('%s', (_what, row, stage) => expect(nextStage(row, 1)).toBe(stage));

  it('is judged by the scale of all waits', () => {
    expect(nextStage(failing(0.6), 0.01)).toBe('half');
    expect(nextStage(failing(0.59), 0.01)).toBeNull();
  });
});

describe('the end that a mail names', () => {
  it('is 120 hours after the first failure', () => {
    expect(earliestEnd(half, 1)).toEqual(at(120));
    expect(earliestEnd(warned, 1)).toEqual(at(120));
  });

  it('is twelve hours after a last warning that came late', () => {
    expect(earliestEnd({ ...warned, at: at(200) }, 1)).toEqual(at(212));
  });
});
