import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { createWaker } from '../src/timing/waker.ts';

const tooLongMs = 600_000;

describe('a waker', () => {
  it('ends a wait where it is woken or its loop ends, and by itself', async () => {
    const ending = new AbortController();
    const waker = createWaker(ending.signal);
    expect(await waker.sleep(1)).toBe(false);
    const woken = waker.sleep(tooLongMs);
    waker.wake();
    expect(await woken).toBe(true);
    const ended = waker.sleep(tooLongMs);
    ending.abort();
    await ended;
    await waker.sleep(tooLongMs);
  });

  it('does not wait where it was woken since its last wait, once', async () => {
    const waker = createWaker(new AbortController().signal);
    waker.wake();
    waker.wake();
    expect(await waker.sleep(tooLongMs)).toBe(true);
    expect(await waker.sleep(1)).toBe(false);
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
