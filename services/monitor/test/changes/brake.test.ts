import { describe, expect, it } from '@jest/globals';
import { createBrake } from '../../src/changes/brake.ts';

describe('the brake', () => {
  // It alarms about held changes alone.
  const quiet = {} as Parameters<typeof createBrake>[0];
  const note = (brake: ReturnType<typeof createBrake>, count: number, isDetails: boolean) => {
    for (let i = 0; i < count; i++) brake.note(isDetails ? { kind: 'details', skip_reason: null } : null);
  };

  it('is on while more than a tenth of the last 500 answers have other words', () => {
    const brake = createBrake(quiet, false);
    note(brake, 400, false);
    note(brake, 50, true);
    expect(brake.isOn()).toBe(false);
    note(brake, 1, true);
    expect(brake.isOn()).toBe(true);
    // The first of them are 500 answers old then.
    note(brake, 449, false);
    expect(brake.isOn()).toBe(true);
    note(brake, 1, false);
    expect(brake.isOn()).toBe(false);
  });

  it('is on at the start where an operator has not yet decided, until 450 answers are as before', () => {
    const brake = createBrake(quiet, true);
    expect(brake.isOn()).toBe(true);
    note(brake, 449, false);
    expect(brake.isOn()).toBe(true);
    note(brake, 1, false);
    expect(brake.isOn()).toBe(false);
  });
});
