import { createBatch } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';

describe('calls in batches', () => {
  it('run one batch at a time without a wait; each caller gets the result or error of its own item', async () => {
    const batches: (readonly number[])[] = [];
    const gate = Promise.withResolvers<void>();
    const double = createBatch(
      async (items: readonly number[]) => {
        batches.push(items);
        await gate.promise;
        return items.map((item) => (item === 3 ? new Error('three') : item * 2));
      },
      { size: 2 },
    );
    const first = double(1);
    await Promise.resolve();
    const others = [2, 3, 4].map(double);
    expect(batches).toEqual([[1]]);
    gate.resolve();
    expect(await first).toBe(2);
    const results = await Promise.allSettled(others);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(batches).toEqual([[1], [2, 3], [4]]);
  });

  it('gather the calls of one turn of the event loop, if they shall', async () => {
    const batches: (readonly number[])[] = [];
    const echo = createBatch(
      async (items: readonly number[]) => {
        batches.push(items);
        return [...items];
      },
      { size: 8, gathers: true },
    );
    const first = echo(1);
    await Promise.resolve();
    const others = [2, 3].map(echo);
    expect(await Promise.all([first, ...others])).toEqual([1, 2, 3]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('wait no longer than `holdMs` for a batch that hangs', async () => {
    const gate = Promise.withResolvers<void>();
    const ask = createBatch(
      async (items: readonly string[]) => {
        if (items.includes('slow')) await gate.promise;
        return [...items];
      },
      { size: 8, holdMs: 5 },
    );
    const slow = ask('slow');
    await Promise.resolve();
    expect(await ask('fast')).toBe('fast');
    gate.resolve();
    expect(await slow).toBe('slow');
  });

  it('fail together if the work throws, and the next batch runs', async () => {
    let isAway = true;
    const store = createBatch(
      async (items: readonly string[]) => {
        if (isAway) throw new Error('away');
        return [...items];
      },
      { size: 8 },
    );
    const results = await Promise.allSettled(['a', 'b'].map(store));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isAway = false;
    expect(await store('c')).toBe('c');
  });

  it('with a wait do not wait for each other', async () => {
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ask = createBatch(
      async (items: readonly string[]) => {
        begun.resolve();
        if (items.includes('slow')) await gate.promise;
        return [...items];
      },
      { size: 8, waitMs: 1 },
    );
    const slow = ask('slow');
    await begun.promise;
    expect(await ask('fast')).toBe('fast');
    gate.resolve();
    expect(await slow).toBe('slow');
  });
});
