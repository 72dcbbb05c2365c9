import { createLogger, retryUntilAvailable } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';

const log = createLogger('cases', 'silent');

function away(): Error {
  return Object.assign(new Error('no answer'), { name: 'MongoNetworkError' });
}

describe('work at the start', () => {
  it('is done again while the database does not answer', async () => {
    const outcomes = [away(), away()];
    let calls = 0;
    await retryUntilAvailable(async () => {
      calls += 1;
      const error = outcomes.shift();
      if (error) throw error;
    }, log);
    expect(calls).toBe(3);
  });

  it('ends the start immediately where it fails for another reason', async () => {
    let calls = 0;
    const work = async (): Promise<void> => {
      calls += 1;
      throw new Error('an unexpected row');
    };
    await expect(retryUntilAvailable(work, log)).rejects.toThrow('an unexpected row');
    expect(calls).toBe(1);
  });
});
