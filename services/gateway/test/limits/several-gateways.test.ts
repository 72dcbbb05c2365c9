import { waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { apiKey, apiSecret } from '../support/identity-answers.ts';
import { startTestGateway } from '../support/start-gateway.ts';

const keys = { 'x-api-key': apiKey, 'x-api-secret': apiSecret };
const limit = 100;
const fivePercentMore = 105;

describe('one limit over several gateways', () => {
  let first: Awaited<ReturnType<typeof startTestGateway>>;
  let addresses: string[];
  beforeEach(async () => {
    first = await startTestGateway({ RATE_LIMIT_PARTNER_PER_MINUTE: String(limit) });
    addresses = [first.url, await first.addReplica(), await first.addReplica()];
  });
  afterEach(async () => {
    await first.stop();
  });

  const get = (address = '') => fetch(`${address}/v1/client/users`, { headers: keys });
  const countOf = (statuses: number[]) => ({
    passed: statuses.filter((status) => status === 200).length,
    refused: statuses.filter((status) => status === 429).length,
  });

  it('lets through at most 5 % more, and no less, when all are asked at the same time', async () => {
    const asked = Array.from({ length: 300 }, (_, i) => get(addresses[i % 3]));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    const { passed, refused } = countOf(statuses);
    expect(passed).toBeGreaterThanOrEqual(limit);
    expect(passed).toBeLessThanOrEqual(fivePercentMore);
    expect(passed + refused).toBe(300);
  });

  it('gives a caller of a single gateway all of it, immediately', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 120 }, async () => (await get(addresses[1])).status),
    );
    expect(countOf(statuses)).toEqual({ passed: limit, refused: 20 });
  });

  it('lets through at most 5 % more of one request after another', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 150; i++) statuses.push((await get(addresses[i % 3])).status);
    const { passed } = countOf(statuses);
    expect(passed).toBeGreaterThanOrEqual(limit);
    expect(passed).toBeLessThanOrEqual(fivePercentMore);
  });

  it('receives the counts of the others within one exchange interval', async () => {
    await Promise.all(Array.from({ length: 10 }, () => get(addresses[0])));
    const remaining = async (address = '') =>
      Number(/r=(\d+)/.exec((await get(address)).headers.get('ratelimit') ?? '')?.[1]);
    await waitFor(async () => (await remaining(addresses[2])) <= limit - 11, { timeoutMs: 1_000 });
    expect(await remaining(addresses[2])).toBeGreaterThan(limit - 60);
  });
});
