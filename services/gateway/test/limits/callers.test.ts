import { describe, expect, it } from '@jest/globals';
import { addTo, usedOf } from '../../src/domain/sliding-window.ts';
import { createCallers } from '../../src/limits/callers.ts';

describe('who is remembered', () => {
  it('is bounded: a flood of addresses pushes out addresses, and no partner', () => {
    const callers = createCallers();
    addTo(callers.windowOf('partner', '1'), 5, 0);
    addTo(callers.windowOf('address', 'first'), 5, 0);
    for (let i = 0; i < 50_000; i++) addTo(callers.windowOf('address', String(i)), 1, 1);
    expect(usedOf(callers.peek('address', 'first'), 2)).toBe(0);
    expect(usedOf(callers.peek('address', '49999'), 2)).toBe(1);
    expect(usedOf(callers.peek('partner', '1'), 2)).toBe(5);
  });

  it('is forgotten after a quiet minute', () => {
    const callers = createCallers();
    const quiet = callers.windowOf('user', '7');
    addTo(quiet, 1, 0);
    const busy = callers.windowOf('user', '8');
    addTo(busy, 1, 30_000);
    callers.sweep(60_000);
    expect([callers.windowOf('user', '7') === quiet, callers.windowOf('user', '8') === busy]).toEqual([
      false,
      true,
    ]);
  });
});
