import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createPacer } from '../../src/sending/pacer.ts';
import { createSlots } from '../../src/sending/slots.ts';

const ratePerSecond = 100;

function startPacer() {
  const ended = new AbortController();
  const pacer = createPacer({
    lease: { fence: 1, signal: ended.signal, validForMs: () => 60_000 },
    budget: {
      take: async (priority) => ({ day: '2026-11-23', priority }),
      isValid: () => true,
      msUntilNextDay: () => 0,
      returnToken() {},
      releaseUnused: async () => {},
    },
    slots: createSlots({ ratePerSecond, margin: 0.05, startMs: performance.now(), pace: () => 1 }),
    upstream: { blockedBy: () => null, permitGranted() {} },
  });
  const running = pacer.run();
  const acquire = () => pacer.acquire('background', 'background', 10_000);
  return {
    acquire,
    async stop() {
      ended.abort();
      await running;
    },
  };
}

describe('permits', () => {
  it('wait for a request whose connection opens late: both are written, at their distance', async () => {
    const { acquire, stop } = startPacer();
    try {
      for (let isWritten = false; !isWritten; ) {
        const [first, second] = [acquire(), acquire()];
        const permit = await first;
        await delay(5);
        // On a busy machine the slot can be over: then the next two are tried.
        isWritten = permit.mayWrite();
        const writtenMs = performance.now();
        const next = await second;
        if (!isWritten) continue;
        expect(next.mayWrite()).toBe(true);
        expect(performance.now() - writtenMs).toBeGreaterThan(1_000 / ratePerSecond);
      }
    } finally {
      await stop();
    }
  });

  it('go on without a request that is not written in its slot', async () => {
    const { acquire, stop } = startPacer();
    try {
      const [first, second] = [acquire(), acquire()];
      const late = await first;
      const permit = await second;
      expect(permit.mayWrite()).toBe(true);
      expect(late.mayWrite()).toBe(false);
    } finally {
      await stop();
    }
  });
});
