import type { CreatedCase } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { receipt, seen, user } from '../../test/support/fixtures.ts';
import { type Cases, endUser, partner, startTestCases } from '../../test/support/start-cases.ts';

describe.each([
  ['a partner', '/v1/client', partner],
  ['a user', '/v1', endUser],
] as const)('a case created by %s with an Idempotency-Key', (_who, root, caller) => {
  let cases: Cases;
  let userId = 0;
  const keyed = (over: object = {}, key = `key-${userId}`, signal?: AbortSignal) =>
    cases.call('POST', `${root}/users/${userId}/cases`, {
      as: caller === partner ? partner() : endUser(userId),
      headers: { 'idempotency-key': key },
      body: { receipt_number: receipt(userId), uscis_access_acknowledged: true, ...over },
      ...(signal && { signal }),
    });
  const stored = () => cases.db.collection('cases').countDocuments({ user_id: userId });
  const isReplay = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed') === 'true';

  beforeAll(async () => {
    cases = await startTestCases();
  });
  afterAll(async () => await cases.stop());
  beforeEach(() => {
    userId += 1;
    cases.users.set(userId, user(userId));
    cases.monitorSays(async () => seen());
  });

  it('is given again, exactly as it was first, without another check', async () => {
    const first = await keyed();
    const checks = cases.checks.length;
    const again = await keyed();
    expect([first.status, isReplay(first)]).toEqual([201, false]);
    expect([again.status, isReplay(again)]).toEqual([201, true]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(cases.checks).toHaveLength(checks);
    expect(await stored()).toBe(1);
  });

  it('is refused with 409 for another body, and with 400 for a key that is none', async () => {
    await keyed();
    const reused = await keyed({ description: 'another' });
    expect(reused).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    const tooLong = await keyed({}, 'k'.repeat(256));
    expect(tooLong).toMatchObject({ status: 400, body: { code: 'invalid_idempotency_key' } });
  });

  it('is one of 50 at once', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => keyed()));
    const made = replies.filter(({ status }) => status === 201);
    const others = replies.filter(({ status }) => status !== 201);
    expect(made.filter((reply) => !isReplay(reply))).toHaveLength(1);
    expect(new Set(made.map(({ body }) => (body.case as CreatedCase).id)).size).toBe(1);
    for (const { status, body } of others)
      expect([status, body.code]).toEqual([409, 'idempotency_in_progress']);
    expect(await stored()).toBe(1);
    expect(await cases.db.collection('acknowledgements').countDocuments({ user_id: userId })).toBe(1);
  });

  it('may be tried again with the same key after a 503', async () => {
    cases.monitorSays(async () => {
      throw new ApiError('uscis_unavailable', { retryAfterS: 60 });
    });
    expect((await keyed()).status).toBe(503);
    cases.monitorSays(async () => seen());
    const again = await keyed();
    expect([again.status, isReplay(again)]).toEqual([201, false]);
  });

  it('is found again by a caller whose connection broke before the answer', async () => {
    const connection = new AbortController();
    cases.monitorSays(async () => {
      connection.abort();
      return seen();
    });
    await expect(keyed({}, `key-${userId}`, connection.signal)).rejects.toThrow(/abort/i);
    const row = await waitFor(() => cases.db.collection('cases').findOne({ user_id: userId }));
    const again = await keyed();
    expect([again.status, isReplay(again)]).toEqual([201, true]);
    expect((again.body.case as CreatedCase).id).toBe(Number(row._id));
    expect(await stored()).toBe(1);
  });

  it('is made once when its key is taken over while the first try still hangs', async () => {
    let letGo = () => {};
    const hanging = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const before = cases.checks.length;
    cases.monitorSays(async () => {
      await hanging;
      return seen();
    });
    const first = keyed();
    await waitFor(() => cases.checks.length > before);
    const ended = { $set: { lease_until: new Date(0) } };
    await cases.db.collection('idempotency').updateMany({ answer: null }, ended);
    cases.monitorSays(async () => seen());
    const second = await keyed();
    letGo();
    expect([second.status, isReplay(second)]).toEqual([201, false]);
    expect((await first).status).toBe(409);
    expect((await keyed()).body).toEqual(second.body);
    expect(await stored()).toBe(1);
  });

  it('is forgotten, and lies unreadable in the store until then', async () => {
    await keyed();
    const remembered = await cases.db.collection('idempotency').findOne({ user_id: userId });
    expect(JSON.stringify(remembered)).not.toContain(receipt(userId));
    await cases.identity.publish('user.deleted', { user_id: userId, partner_id: 1, version: 2 });
    cases.users.delete(userId);
    await waitFor(
      async () => (await cases.db.collection('idempotency').countDocuments({ user_id: userId })) === 0,
    );
    expect(await keyed()).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
  });
});
