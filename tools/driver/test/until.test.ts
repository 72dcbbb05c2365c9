import { describe, expect, it } from '@jest/globals';
import { until } from '../src/index.ts';

describe('until', () => {
  it('returns the first truthy value', async () => {
    const values = [undefined, 0, 'third'];
    expect(await until(() => values.shift(), { intervalMs: 1 })).toBe('third');
  });

  it('says what did not happen, and what it saw last', async () => {
    const waiting = until(() => 0, { timeoutMs: 5, intervalMs: 1, what: 'the third mail' });
    await expect(waiting).rejects.toThrow('the third mail did not happen within 5 ms (last seen: 0)');
  });

  it('passes on what the function throws', async () => {
    const waiting = until(() => Promise.reject(new Error('unreachable')));
    await expect(waiting).rejects.toThrow('unreachable');
  });
});
