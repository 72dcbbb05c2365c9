import { describe, expect, it } from '@jest/globals';
import { duration } from '../src/traces/duration.ts';

describe('duration', () => {
  it.each([
    [0.04, '0 ms'],
    [12.34, '12.3 ms'],
    [999, '999 ms'],
    [4_500, '4.5 s'],
    [59_960, '1 min 0 s'],
    [134_327, '2 min 14 s'],
  ])('%d ms: %s', (ms, text) => expect(duration(ms)).toBe(text));
});
