import { createKeyedMutex } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';

describe('works in turn', () => {
  it('run one after the other by key, in the order in which they came, and past one that fails', async () => {
    const inTurn = createKeyedMutex<string>();
    const log: string[] = [];
    const gate = Promise.withResolvers<void>();
    const work = (name: string, wait?: Promise<void>) => async () => {
      log.push(`${name} begins`);
      await wait;
      log.push(`${name} ends`);
      if (name === 'a1') throw new Error('a1 failed');
      return name;
    };
    const a1 = inTurn('a', work('a1', gate.promise));
    const a2 = inTurn('a', work('a2'));
    const b = inTurn('b', work('b'));
    expect(await b).toBe('b');
    expect(log).toEqual(['a1 begins', 'b begins', 'b ends']);
    gate.resolve();
    await expect(a1).rejects.toThrow('a1 failed');
    expect(await a2).toBe('a2');
    expect(await inTurn('a', work('a3'))).toBe('a3');
    expect(log.slice(3)).toEqual(['a1 ends', 'a2 begins', 'a2 ends', 'a3 begins', 'a3 ends']);
  });
});
