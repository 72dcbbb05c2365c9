import { problem } from '@casewatch/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestGateway } from '../support/start-gateway.ts';

/** Requests a minute of one address, as in production. */
const limit = 300;
const asked = 350;

describe('350 requests of one address that come together', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  beforeEach(async () => {
    gateway = await startTestGateway((behind) => ({
      NOTIFIER_URL: behind,
      // The scale raises the other bounds, so that only the count of the minute is left.
      RATE_LIMIT_ADDRESS_PER_MINUTE: String(limit / 50),
      RATE_LIMIT_SCALE: '50',
      MAX_CONNECTIONS: '2000',
    }));
  });
  afterEach(() => gateway.stop());

  async function together(path: string, method: string, of: Ask): Promise<number[]> {
    const statuses: number[] = [];
    const asks = Array.from({ length: asked }, async (_, i) => {
      const response = await fetch(gateway.url + path, { method, headers: of.headers(i) });
      const text = await response.text();
      if (response.status === 429) expect(problem.parse(JSON.parse(text)).code).toBe('rate_limited');
      statuses.push(response.status);
      of.onAnswer?.(count(statuses, 429));
    });
    await Promise.all(asks);
    return statuses;
  }

  it.each([
    ['/v1/callbacks/twilio', 'x-twilio-signature'],
    ['/v1/callbacks/email/sendgrid', 'svix-signature'],
  ])(
    'are refused beyond 300 before one has ended, where they are forged callbacks: %s',
    async (path, signature) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      Object.assign(gateway.answer, { status: 403, body: '{"code":"invalid_signature"}', held: promise });
      const headers = (i: number) => ({ [signature]: `Zm9yZ2Vk${i}` });
      // The service answers none of them until 50 are refused.
      const onAnswer = (refused: number) => refused >= asked - limit && resolve();
      const first = await together(path, 'POST', { headers, onAnswer });
      // Without places that are held, none would be refused before one has ended.
      expect(count(first, 429)).toBeGreaterThan(0);
      // On a slow machine some wait too long for the service: an outage is not charged.
      const late = count(first, 503);
      expect(count(first, 403) + count(first, 429) + late).toBe(asked);
      expect(count(first, 429)).toBeGreaterThanOrEqual(asked - limit - late);
      expect(gateway.seen.length).toBeLessThanOrEqual(limit + late);
      // A place is held until its request has ended, and one that was rejected stays counted.
      const second = await together(path, 'POST', { headers });
      expect(count(first, 403) + count(second, 403)).toBeLessThanOrEqual(limit);
      expect(count(second, 429)).toBeGreaterThanOrEqual(asked - late);
    },
  );

  it('cause at most 300 questions to identity, where their keys are not valid', async () => {
    const headers = (i: number) => ({ 'x-api-key': `cwk_none_${i}`, 'x-api-secret': `cws_none_${i}` });
    const statuses = await together('/v1/client/users', 'GET', { headers });
    const late = count(statuses, 503);
    expect(count(statuses, 401) + count(statuses, 429) + late).toBe(asked);
    expect(count(statuses, 401)).toBeGreaterThan(0);
    expect(count(statuses, 429)).toBeGreaterThanOrEqual(asked - limit - late);
    expect(gateway.identity.askedFor('identity.authenticate')).toBeLessThanOrEqual(limit + late);
    expect(gateway.seen).toEqual([]);
  });

  it('are all served one after the other, where they are callbacks that the service accepts', async () => {
    Object.assign(gateway.answer, { status: 204, body: '' });
    const headers = { 'x-twilio-signature': 'c2lnbmVk' };
    for (let i = 0; i < asked; i += 1) {
      const { status } = await fetch(`${gateway.url}/v1/callbacks/twilio`, { method: 'POST', headers });
      expect(status).toBe(204);
    }
    expect(gateway.seen).toHaveLength(asked);
  });
});

type Ask = {
  readonly headers: (i: number) => Record<string, string>;
  /** Gets the number of requests that are refused so far. */
  readonly onAnswer?: (refused: number) => void;
};

function count(statuses: readonly number[], status: number): number {
  return statuses.filter((each) => each === status).length;
}
