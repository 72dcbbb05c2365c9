import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { createWaker } from '../../src/loops/waker.ts';

const tooLongMs = 600_000;

describe('a waker', () => {
  it('ends a wait where it is woken or its loop ends, and by itself', async () => {
    const ending = new AbortController();
    const waker = createWaker(ending.signal);
    await waker.sleep(1);
    const woken = waker.sleep(tooLongMs);
    waker.wake();
    await woken;
    const ended = waker.sleep(tooLongMs);
    ending.abort();
    await ended;
    await waker.sleep(tooLongMs);
  });

  it('leaves nothing behind at the signal, however often it waits', async () => {
    const { signal } = new AbortController();
    const waker = createWaker(signal);
    for (let i = 0; i < 50; i++) {
      const wait = waker.sleep(tooLongMs);
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      waker.wake();
      await wait;
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
