import { describe, expect, it } from '@jest/globals';
import { sparingly } from '../src/history/progress.ts';

describe('the progress of a long command', () => {
  it('is said every five seconds, with what is true then', () => {
    const lines: string[] = [];
    let seconds = 0;
    const progress = sparingly(
      (line) => lines.push(line),
      () => seconds * 1_000,
    );
    for (seconds = 0; seconds <= 12; seconds++) progress(`${seconds} of 12`);
    expect(lines).toEqual(['5 of 12', '10 of 12']);
  });
});
