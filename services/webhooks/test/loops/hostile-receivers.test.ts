import tls from 'node:tls';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/delivery-world.ts';

const totalMs = 1_500;
const trusted = tls.getCACertificates('default');

let world: World;
beforeAll(async () => {
  world = await startWorld({ totalMs });
  // With the authority trusted, only the name in the certificate is wrong.
  tls.setDefaultCACertificates([...trusted, world.receiver.tlsAuthority]);
});
afterAll(async () => {
  await world.stop();
  tls.setDefaultCACertificates(trusted);
});

/** The first attempt at a hook with these settings. */
async function firstAttempt(partnerId: number, hook: string, settings: object, url?: string) {
  await world.receiver.configure(hook, settings);
  const id = await world.subscribe(partnerId, hook, url === undefined ? {} : { url });
  await world.siblings.identity.publish('user.deleted', {
    user_id: partnerId,
    partner_id: partnerId,
    version: 2,
  });
  const delivery = await world.delivery(partnerId, id, ({ attempts }) => attempts.length > 0);
  return { id, delivery, attempt: delivery.attempts[0] };
}

describe('a receiver', () => {
  it.each([
    ['never answers', 1, { mode: 'hang' }],
    ['sends its status line one byte a second', 2, { mode: 'drip' }],
    ['answers too late', 3, { delay_ms: 5_000 }],
  ])('that %s costs the time-out and no more', async (_what, partnerId, settings) => {
    const { attempt, delivery } = await firstAttempt(partnerId, `slow-${partnerId}`, settings);
    expect(attempt).toMatchObject({ status: null, error: 'timeout' });
    expect(attempt?.ms).toBeGreaterThanOrEqual(totalMs - 10);
    expect(attempt?.ms).toBeLessThan(totalMs + 1_000);
    expect(delivery.status).not.toBe('failed');
  });

  it('that resets the connection is a failure `reset`', async () => {
    const { attempt } = await firstAttempt(4, 'resetting', { mode: 'reset' });
    expect(attempt).toMatchObject({ status: null, error: 'reset' });
  });

  it('with a body without end has succeeded: 64 KiB are read, 16 KiB kept, 4 KiB shown', async () => {
    const { id, delivery, attempt } = await firstAttempt(5, 'endless', { mode: 'endless' });
    expect([delivery.status, attempt?.error]).toEqual(['delivered', null]);
    expect(attempt?.ms).toBeLessThan(totalMs);
    const rows = JSON.parse(await world.service.stored('deliveries')) as {
      _id: string;
      attempts: { response: string }[];
    }[];
    expect(rows.find(({ _id }) => _id === delivery.id)?.attempts[0]?.response).toHaveLength(16 * 1_024);
    const path = `/v1/webhooks/${id}/deliveries/${delivery.id}`;
    const { body } = await world.service.call(5, 'GET', path);
    expect(body.delivery?.attempts[0]?.response).toHaveLength(4 * 1_024);
  });

  it('whose certificate is for another name gets nothing', async () => {
    const { attempt } = await firstAttempt(6, 'masked', {}, world.receiver.tlsUrlOf('masked'));
    expect(attempt).toMatchObject({ status: null, error: 'tls_error' });
    expect(await world.receiver.calls('masked')).toEqual([]);
  });

  it.each([
    [429, 7],
    [503, 8],
  ])('that answers %i gets the next attempt when its Retry-After allows it', async (status, partnerId) => {
    const settings = { status, headers: { 'retry-after': '3' } };
    const { attempt, delivery } = await firstAttempt(partnerId, `busy-${partnerId}`, settings);
    expect(attempt).toMatchObject({ status, error: `http_${status}` });
    const waitMs = Date.parse(delivery.next_attempt_at ?? '') - Date.parse(attempt?.at ?? '');
    expect(waitMs).toBeGreaterThanOrEqual(3_000);
  });

  it('that redirects gets one call, and the place of the redirect none', async () => {
    const location = world.receiver.urlOf('elsewhere');
    const { attempt } = await firstAttempt(9, 'moved', { status: 308, headers: { location } });
    expect(attempt).toMatchObject({ status: 308, error: 'redirect_not_followed' });
    expect(await world.receiver.calls('elsewhere')).toEqual([]);
  });

  it('that answers 410 is disabled', async () => {
    const { id, attempt } = await firstAttempt(10, 'gone', { status: 410 });
    expect(attempt).toMatchObject({ status: 410, error: 'http_410' });
    const path = `/v1/webhooks/${id}`;
    const isDisabled = async () => (await world.service.call(10, 'GET', path)).body.webhook?.disabled_reason;
    expect(await waitFor(isDisabled)).toBe('gone');
  });
});
