import { describe, expect, it } from '@jest/globals';
import { circuitWaitMs, isOpen } from '../../src/domain/circuit.ts';
import { fullBucket, takeToken } from '../../src/domain/token-bucket.ts';

describe('the token bucket', () => {
  it('lets one second of the rate through immediately, then the rate', () => {
    let bucket = fullBucket(4, 0);
    const waits = [0, 0, 0, 0, 0, 250, 300].map((now) => {
      const taken = takeToken(bucket, 4, now);
      bucket = taken.bucket;
      return taken.waitMs;
    });
    expect(waits).toEqual([0, 0, 0, 0, 250, 0, 200]);
  });

  it('never holds more than one second of the rate', () => {
    const { bucket } = takeToken(fullBucket(2, 0), 2, 60_000);
    expect(bucket.tokens).toBe(1);
  });
});

describe('the circuit', () => {
  const lastFailureMs = 1_000_000;

  it('opens at ten failures in a row', () => {
    expect(isOpen({ failures: 9, lastFailureMs })).toBe(false);
    expect(isOpen({ failures: 10, lastFailureMs })).toBe(true);
    expect(circuitWaitMs({ failures: 9, lastFailureMs }, lastFailureMs, 1)).toBe(0);
  });

  it('lets a probe through half a minute after the last failure', () => {
    const health = { failures: 12, lastFailureMs };
    expect(circuitWaitMs(health, 1_010_000, 1)).toBe(20_000);
    expect(circuitWaitMs(health, 1_030_000, 1)).toBe(0);
    expect(circuitWaitMs(health, 1_000_000, 0.5)).toBe(15_000);
  });
});
