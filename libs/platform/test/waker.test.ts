import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { createWakeableTimer } from '../src/timing/wakeable-timer.ts';

const tooLongMs = 600_000;

describe('a wakeable timer', () => {
  it('ends a wait where it is woken or its loop ends, and by itself', async () => {
    const ending = new AbortController();
    const timer = createWakeableTimer(ending.signal);
    expect(await timer.sleep(1)).toBe(false);
    const woken = timer.sleep(tooLongMs);
    timer.wake();
    expect(await woken).toBe(true);
    const ended = timer.sleep(tooLongMs);
    ending.abort();
    await ended;
    await timer.sleep(tooLongMs);
  });

  it('does not wait where it was woken since its last wait, once', async () => {
    const timer = createWakeableTimer(new AbortController().signal);
    timer.wake();
    timer.wake();
    expect(await timer.sleep(tooLongMs)).toBe(true);
    expect(await timer.sleep(1)).toBe(false);
  });

  it('leaves nothing behind at the signal, however often it waits', async () => {
    const { signal } = new AbortController();
    const timer = createWakeableTimer(signal);
    for (let i = 0; i < 50; i++) {
      const wait = timer.sleep(tooLongMs);
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      timer.wake();
      await wait;
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
