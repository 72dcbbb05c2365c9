import { describe, expect, it } from '@jest/globals';
import { keepNames } from '../../src/store/partner-names.ts';

describe('the names of partners', () => {
  it('are read once, however many ask', async () => {
    const asked: number[] = [];
    const nameOf = keepNames(async (id) => {
      asked.push(id);
      return `Firm ${id}`;
    });
    expect(await Promise.all([nameOf(1), nameOf(2), nameOf(1)])).toEqual(['Firm 1', 'Firm 2', 'Firm 1']);
    expect(await nameOf(1)).toBe('Firm 1');
    expect(await nameOf(null)).toBeNull();
    expect(asked).toEqual([1, 2]);
  });

  it('are read again where there was no partner yet, or no answer', async () => {
    const answers = [Promise.resolve(null), Promise.reject(new Error('away')), Promise.resolve('Firm')];
    const nameOf = keepNames(() => answers.shift() ?? Promise.resolve(null));
    expect(await nameOf(1)).toBeNull();
    await expect(nameOf(1)).rejects.toThrow('away');
    expect(await nameOf(1)).toBe('Firm');
  });
});
