import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createPacer, createSendOrder } from '../../src/sending/pacer.ts';
import { createSlots } from '../../src/sending/slots.ts';

type Options = {
  validForMs?: () => number;
  ratePerSecond?: number;
  order?: ReturnType<typeof createSendOrder>;
  onTaken?: (slotMs: number) => void;
};

function startPacer({
  validForMs = () => 60_000,
  ratePerSecond = 100,
  order = createSendOrder(),
  onTaken = () => {},
}: Options = {}) {
  const ended = new AbortController();
  const slots = createSlots({ ratePerSecond, margin: 0.05, startMs: performance.now(), pace: () => 1 });
  const pacer = createPacer({
    lease: { fence: 1, signal: ended.signal, validForMs },
    budget: {
      take: async (priority) => ({ day: '2026-11-23', priority }),
      isValid: () => true,
      msUntilNextDay: () => 0,
      returnToken() {},
      releaseUnused: async () => {},
    },
    slots: {
      ...slots,
      take(slotMs) {
        slots.take(slotMs);
        onTaken(slotMs);
      },
    },
    upstream: { blockedBy: () => null, permitGranted() {} },
    order,
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
        expect(performance.now() - writtenMs).toBeGreaterThan(1_000 / 100);
      }
    } finally {
      await stop();
    }
  });

  it('are not used once the clock has passed the lease, though nobody has ended it yet', async () => {
    let leftMs = 60_000;
    const { acquire, stop } = startPacer({ validForMs: () => leftMs });
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

  it('are given when their slot has begun, so that the write waits for nothing', async () => {
    const begun: number[] = [];
    const { acquire, stop } = startPacer({ onTaken: (slotMs) => begun.push(slotMs) });
    try {
      for (let i = 0; i < 20; i++) {
        const permit = await acquire();
        expect(performance.now()).toBeGreaterThanOrEqual(begun.at(-1) ?? Number.POSITIVE_INFINITY);
        permit.release();
      }
      expect(begun).toHaveLength(20);
    } finally {
      await stop();
    }
  });

  it('keep their distance while more is asked than the rate allows', async () => {
    const ratePerSecond = 20;
    const { acquire, stop } = startPacer({ ratePerSecond });
    const times: number[] = [];
    try {
      await Promise.all(
        Array.from({ length: 40 }, async () => {
          for (let isWritten = false; !isWritten; ) {
            isWritten = (await acquire()).mayWrite();
            if (isWritten) times.push(performance.now());
          }
        }),
      );
    } finally {
      await stop();
    }
    const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(1_000 / ratePerSecond);
  });

  it('grow in the order of sending, also in a further term of the same replica with the same fence', async () => {
    const order = createSendOrder();
    const sent: number[] = [];
    for (let term = 0; term < 2; term++) {
      const { acquire, stop } = startPacer({ order });
      try {
        for (const permit of [await acquire(), await acquire()]) sent.push(permit.sent);
      } finally {
        await stop();
      }
    }
    expect(sent).toEqual([...new Set(sent)].sort((a, b) => a - b));
    // The next holder has a higher fence, and counts from its own beginning.
    expect(createSendOrder()(2)).toBeGreaterThan(Math.max(...sent));
  });
});
