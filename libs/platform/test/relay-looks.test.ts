import { describe, expect, it } from '@jest/globals';
import { createLooks } from '../src/outbox/relay-looks.ts';

describe("the relay's looks for new rows", () => {
  function looksAt(startMs: number) {
    let nowMs = startMs;
    const looks = createLooks(() => nowMs);
    const wait = (ms: number) => {
      nowMs += ms;
    };
    return { looks, wait };
  }

  it('begin at the first row, and within a second just before the lowest row that was found', () => {
    const { looks, wait } = looksAt(5_000);
    expect(looks.begin()).toBe('');
    looks.found('b7');
    wait(10);
    expect(looks.begin()).toBe('b');
    looks.found('c3');
    wait(900);
    expect(looks.begin()).toBe('b');
  });

  it('begin at the first row once a second, and then before the rows of the second before', () => {
    const { looks, wait } = looksAt(0);
    looks.begin();
    looks.found('b7');
    wait(1_000);
    expect(looks.begin()).toBe('');
    expect(looks.begin()).toBe('b');
    looks.found('d1');
    wait(1_000);
    looks.begin();
    expect(looks.begin()).toBe('d');
  });

  it('begin at the first row where none was found for a second', () => {
    const { looks, wait } = looksAt(0);
    looks.begin();
    looks.found('b7');
    for (let i = 0; i < 2; i++) {
      wait(1_000);
      looks.begin();
    }
    wait(10);
    expect(looks.begin()).toBe('');
  });

  it('are due a second after the last one at all rows, if others came since', () => {
    const { looks, wait } = looksAt(0);
    looks.begin();
    looks.found('b7');
    expect(looks.dueAt()).toBe(Number.POSITIVE_INFINITY);
    wait(300);
    looks.begin();
    expect(looks.dueAt()).toBe(1_000);
    wait(700);
    looks.begin();
    expect(looks.dueAt()).toBe(Number.POSITIVE_INFINITY);
  });
});
