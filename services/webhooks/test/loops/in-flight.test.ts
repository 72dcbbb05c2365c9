import { describe, expect, it } from '@jest/globals';
import { InFlight } from '../../src/loops/in-flight.ts';

const cap = 1_000;

function queueOf(hasSucceeded: boolean) {
  return {
    hasSucceeded,
    pumped: 0,
    pump(): void {
      this.pumped += 1;
    },
  };
}

describe('the limit of attempts in flight', () => {
  it('keeps a quarter for endpoints whose last attempt succeeded', () => {
    const inFlight = new InFlight();
    const [hanging, healthy] = [queueOf(false), queueOf(true)];
    const begun = Array.from({ length: cap }, () => inFlight.begin(hanging)).filter(Boolean);
    expect(begun).toHaveLength(cap * 0.75);
    const others = Array.from({ length: cap }, () => inFlight.begin(healthy)).filter(Boolean);
    expect(others).toHaveLength(cap * 0.25);
  });

  it('wakes a queue that waits when there is room for it', () => {
    const inFlight = new InFlight();
    const [hanging, healthy] = [queueOf(false), queueOf(true)];
    while (inFlight.begin(healthy));
    inFlight.begin(hanging);
    inFlight.end();
    expect([healthy.pumped, hanging.pumped]).toEqual([1, 0]);
    for (let i = 0; i < cap / 2; i++) inFlight.end();
    expect([healthy.pumped, hanging.pumped]).toEqual([1, 1]);
  });
});
