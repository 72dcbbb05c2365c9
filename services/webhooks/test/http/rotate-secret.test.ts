import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { startWorld, type World } from '../support/delivery-world.ts';
import { verifiesInPython } from '../support/python-judge.ts';
import type { Received } from '../support/receiver.ts';
import { partner } from '../support/start-webhooks.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

let nextUser = 1;

/** The next delivery to a hook. */
async function nextCall(partnerId: number, hook: string): Promise<Received> {
  const before = (await world.receiver.calls(hook)).length;
  const user_id = nextUser++;
  await world.siblings.identity.publish('user.deleted', { user_id, partner_id: partnerId, version: 2 });
  const call = (await world.arrived(hook, before + 1)).at(before);
  if (!call) throw new Error('nothing arrived');
  return call;
}

async function subscribe(partnerId: number, hook: string) {
  const body = { url: world.receiver.urlOf(hook), events: ['*'] };
  const { body: created } = await world.service.call(partnerId, 'POST', '/v1/webhooks', body);
  return { id: created.webhook?.id ?? 0, secret: String(created.webhook?.secret) };
}

async function rotate(partnerId: number, id: number, body: object = {}, key?: string) {
  const path = `/v1/webhooks/${id}/rotate-secret`;
  const answer = await world.service.callAs(partner(partnerId), 'POST', path, body, key);
  return { ...answer, secret: String(answer.body.webhook?.secret) };
}

function verifies({ body, headers }: Received, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

describe('POST /v1/webhooks/{webhook_id}/rotate-secret', () => {
  it('200: both secrets sign during the overlap, for the packages of npm and PyPI', async () => {
    const { id, secret } = await subscribe(1, 'rotated');
    const rotated = await rotate(1, id);
    expect(rotated.status).toBe(200);
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    const call = await nextCall(1, 'rotated');
    expect(call.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect([verifies(call, secret), verifies(call, rotated.secret)]).toEqual([true, true]);
    const other = String((await subscribe(1, 'other')).secret);
    const verdicts = await verifiesInPython([secret, rotated.secret, other], call);
    if (verdicts !== null) expect(verdicts).toEqual([true, true, false]);
  });

  it('200: the older secret signs for a day by default', async () => {
    const { id } = await subscribe(8, 'a-day');
    const before = Date.now();
    expect((await rotate(8, id)).status).toBe(200);
    const after = Date.now();
    const rows = JSON.parse(await world.service.stored('webhooks')) as {
      _id: number;
      secrets: { ends_at: string | null }[];
    }[];
    const ends = rows.find(({ _id }) => _id === id)?.secrets.map(({ ends_at }) => ends_at);
    expect(ends).toEqual([null, expect.any(String)]);
    const end = Date.parse(ends?.[1] ?? '') - 86_400_000;
    expect(end).toBeGreaterThanOrEqual(before);
    expect(end).toBeLessThanOrEqual(after);
  });

  it('200: without an overlap only the new secret signs', async () => {
    const { id, secret } = await subscribe(2, 'at-once');
    const second = await rotate(2, id, { overlap_seconds: 600 });
    const third = await rotate(2, id, { overlap_seconds: 0 });
    const call = await nextCall(2, 'at-once');
    expect([secret, second.secret, third.secret].map((key) => verifies(call, key))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('200: a second rotation keeps the secret that receivers still use, until its own end', async () => {
    const { id, secret } = await subscribe(3, 'again');
    const second = await rotate(3, id, { overlap_seconds: 3 });
    const third = await rotate(3, id, { overlap_seconds: 600 });
    const call = await nextCall(3, 'again');
    expect([secret, second.secret, third.secret].map((key) => verifies(call, key))).toEqual([
      true,
      true,
      true,
    ]);
    const ended = await waitFor(
      async () => {
        const later = await nextCall(3, 'again');
        return !verifies(later, secret) && later;
      },
      { intervalMs: 500, timeoutMs: 15_000, what: 'the end of the first secret' },
    );
    expect([second.secret, third.secret].map((key) => verifies(ended, key))).toEqual([true, true]);
  });

  it('200: the same Idempotency-Key rotates once and does not show the secret again', async () => {
    const { id } = await subscribe(4, 'key');
    const first = await rotate(4, id, {}, 'a-key');
    const again = await rotate(4, id, {}, 'a-key');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(again.body).toEqual({ ...first.body, webhook: { ...first.body.webhook, secret: null } });
    expect(verifies(await nextCall(4, 'key'), first.secret)).toBe(true);
  });

  it('400: an overlap of more than seven days', async () => {
    const { id } = await subscribe(5, 'long');
    const { status, body } = await rotate(5, id, { overlap_seconds: 604_801 });
    expect([status, body.code, body.errors?.[0]?.pointer]).toEqual([
      400,
      'validation_failed',
      '#/overlap_seconds',
    ]);
  });

  it('404: an endpoint of another partner', async () => {
    const { id } = await subscribe(6, 'theirs');
    expect((await rotate(7, id)).status).toBe(404);
  });
});
