import { expect, it } from '@jest/globals';
import { startTestIdentity } from '../support/start-identity.ts';

it.each([
  ['1', [202, 202, 202, 429, 429, 429, 429]],
  ['2', [202, 202, 202, 202, 202, 202, 429]],
])('RATE_LIMIT_SCALE %s scales what one address may do', async (scale, expected) => {
  const identity = await startTestIdentity({ RATE_LIMIT_SCALE: scale });
  const statuses: number[] = [];
  for (const _ of expected) {
    const body = { email: 'scaled@example.com', name: 'Scaled' };
    statuses.push((await identity.call('POST', '/v1/users', { body })).status);
  }
  await identity.stop();
  expect(statuses).toEqual(expected);
});
