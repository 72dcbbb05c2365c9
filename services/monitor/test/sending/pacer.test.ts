import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createPacer } from '../../src/sending/pacer.ts';
import { createSlots } from '../../src/sending/slots.ts';

const ratePerSecond = 100;

function startPacer(validForMs = () => 60_000) {
  const ended = new AbortController();
  const pacer = createPacer({
    lease: { fence: 1, signal: ended.signal, validForMs },
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
        const writtenMs = performance.now();
        isWritten = permit.mayWrite();
        const next = await second;
        if (!isWritten) continue;
        expect(next.mayWrite()).toBe(true);
        expect(performance.now() - writtenMs).toBeGreaterThan(1_000 / ratePerSecond);
      }
    } finally {
      await stop();
    }
  });

  it('are not used once the clock has passed the lease, though nobody has ended it yet', async () => {
    let leftMs = 60_000;
    const { acquire, stop } = startPacer(() => leftMs);
    try {
      const permit = await acquire();
      // A virtual machine was suspended.
      leftMs = -1;
      expect(permit.mayWrite()).toBe(false);
      leftMs = 60_000;
      const next = await acquire();
      expect(next.mayWrite()).toBe(true);
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
