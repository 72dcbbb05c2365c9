import { keptFor } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';

const minuteMs = 60_000;

describe('what is kept for a while', () => {
  it('is read once, however many ask', async () => {
    const asked: number[] = [];
    const nameOf = keptFor(minuteMs, async (id: number) => {
      asked.push(id);
      return `Firm ${id}`;
    });
    expect(await Promise.all([nameOf(1), nameOf(2), nameOf(1)])).toEqual(['Firm 1', 'Firm 2', 'Firm 1']);
    expect(await nameOf(1)).toBe('Firm 1');
    expect(asked).toEqual([1, 2]);
  });

  it('is read again where the answer was not worth keeping, or there was none', async () => {
    const answers = [Promise.resolve(null), Promise.reject(new Error('away')), Promise.resolve('Firm')];
    const read = () => answers.shift() ?? Promise.resolve(null);
    const nameOf = keptFor(
      minuteMs,
      (_id: number) => read(),
      (name) => name !== null,
    );
    expect(await nameOf(1)).toBeNull();
    await expect(nameOf(1)).rejects.toThrow('away');
    expect(await nameOf(1)).toBe('Firm');
  });
});
