import type { Principal } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { facts, receipt, seen, user } from '../../test/support/fixtures.ts';
import { type Cases, endUser, partner, startTestCases } from '../../test/support/start-cases.ts';

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);

describe('a stored answer of POST /v1/check', () => {
  let cases: Cases;
  let next = 100;
  let number: string;
  beforeAll(async () => {
    cases = await startTestCases();
  });
  afterAll(async () => await cases.stop());
  beforeEach(() => {
    number = receipt(++next);
    cases.checks.length = 0;
    // The monitor has an answer that another caller's case has brought, if it may use it.
    cases.monitorSays(async ({ max_age_s }) => {
      const source = max_age_s > 0 ? ('cache' as const) : ('live' as const);
      return seen({ source, checked_at: secondsAgo(max_age_s > 0 ? 30 : 0).toISOString() });
    });
  });

  const check = async (as: Principal, over: object = {}) =>
    (await cases.call('POST', '/v1/check', { as, body: { receipt_number: number, ...over } })).body;
  const asked = () => cases.checks.map(({ max_age_s }) => max_age_s);
  const rows = () => cases.db.collection('own_checks');
  /** A monitored case, as old as that. */
  const insertCase = async (
    owner: { partner_id: number | null; user_id: number },
    seconds: number,
    watched = true,
  ) => {
    const row = {
      _id: ++next,
      receipt_number: number,
      watched,
      active: watched,
      version: 1,
      created_at: secondsAgo(seconds),
    };
    await cases.db.collection<{ _id: number }>('cases').insertOne({ ...row, ...owner });
  };

  it('is not kept of a person who is deleted while the check runs', async () => {
    cases.monitorSays(async () => {
      await cases.identity.publish('user.deleted', { user_id: 77, partner_id: null, version: 2 });
      const tombstone = { _id: 77, erased_at: { $ne: null } };
      await waitFor(() => cases.db.collection<{ _id: number }>('user_states').findOne(tombstone));
      return seen();
    });
    expect(await check(endUser(77, null))).toMatchObject({ source: 'live' });
    expect(await rows().countDocuments({ user_id: 77 })).toBe(0);
  });

  it.each([
    ['a partner', partner(1)],
    ['a person of the direct service', endUser(7, null)],
    ['a person of a partner', endUser(8, 1)],
  ])('is what the caller was shown before: %s', async (_who, as) => {
    const first = await check(as);
    expect(first).toMatchObject({ source: 'live' });
    // Meanwhile the case changes, and others check it.
    cases.monitorSays(async () => seen({ facts: facts({ status_code: 'Case Was Approved' }) }));
    await check(partner(9));
    const again = await check(as, { max_age: 300 });
    expect(again).toMatchObject({ source: 'cache', checked_at: first.checked_at });
    expect({ ...again, source: '', message: '', status: { ...(again.status as object), id: 0 } }).toEqual({
      ...first,
      ...{ source: '', message: '', status: { ...(first.status as object), id: 0 } },
    });
    expect(asked()).toEqual([0, 0]);
  });

  it('is never what another caller was shown: nobody learns who watches a receipt', async () => {
    await insertCase({ partner_id: 2, user_id: 20 }, 3_600);
    await insertCase({ partner_id: 1, user_id: 21 }, 3_600);
    for (const as of [partner(3), endUser(7, null), endUser(22, 1), endUser(23, 2)])
      expect(await check(as)).toMatchObject({ source: 'live' });
    expect(asked()).toEqual([0, 0, 0, 0]);
  });

  it('is asked for again when it is older than the caller wants', async () => {
    cases.monitorSays(async () => seen({ checked_at: secondsAgo(400).toISOString() }));
    await check(partner(1));
    await check(partner(1), { max_age: 300 });
    await check(partner(1), { max_age: 600 });
    expect(asked()).toEqual([0, 0]);
  });

  it('can be that USCIS shows nothing', async () => {
    const checked_at = new Date().toISOString();
    cases.monitorSays(async () => ({ outcome: 'not_found', message: 'Invalid number.', checked_at }));
    const first = await check(partner(1));
    expect(first.code).toBe('status_not_available');
    expect((await check(partner(1))).message).toBe(first.message);
    expect(asked()).toEqual([0]);
  });

  it.each(['rejected', 'unreadable'] as const)('is not kept after %s', async (outcome) => {
    const checked_at = new Date().toISOString();
    cases.monitorSays(async () =>
      outcome === 'rejected' ? { outcome, message: null, checked_at } : { outcome, checked_at },
    );
    await check(partner(1));
    await check(partner(1));
    expect(asked()).toEqual([0, 0]);
  });

  it('can come from a monitored case of the caller, as far as that case is old', async () => {
    await insertCase({ partner_id: 1, user_id: 30 }, 3_600);
    expect(await check(partner(1), { max_age: 600 })).toMatchObject({ source: 'cache' });
    expect(await check(endUser(30, 1), { max_age: 600 })).toMatchObject({ source: 'cache' });
    expect(asked()).toEqual([600, 600]);
  });

  it('is what the creation of a case showed to the caller', async () => {
    cases.users.set(40, user(40));
    const checked_at = secondsAgo(20).toISOString();
    cases.monitorSays(async ({ max_age_s }) =>
      seen({
        source: max_age_s >= 20 ? 'cache' : 'live',
        checked_at: max_age_s >= 20 ? checked_at : secondsAgo(0).toISOString(),
      }),
    );
    const body = { receipt_number: number, uscis_access_acknowledged: true };
    const created = await cases.call('POST', '/v1/client/users/40/cases', { as: partner(1), body });
    expect(created.status).toBe(201);
    expect(await check(partner(1))).toMatchObject({ source: 'cache', checked_at });
    expect(await check(partner(2))).toMatchObject({ source: 'live' });
  });

  it('comes from no case that is new, or is not monitored', async () => {
    await insertCase({ partner_id: 1, user_id: 31 }, 3_600, false);
    await insertCase({ partner_id: 2, user_id: 32 }, 100);
    await check(partner(1));
    await check(partner(2));
    const [unwatched = -1, young = -1] = asked();
    expect(unwatched).toBe(0);
    // What is older than the case was brought by others.
    expect(young).toBeGreaterThanOrEqual(99);
    expect(young).toBeLessThan(200);
  });

  it('shows nothing in the database, and is erased with the user', async () => {
    const userId = 40 + next;
    await insertCase({ partner_id: 1, user_id: userId }, 0);
    await check(endUser(userId, 1));
    await check(partner(1));
    await check(partner(2));
    const mine = () => rows().countDocuments({ user_id: userId });
    expect(await mine()).toBe(1);
    const before = await rows().countDocuments();
    const stored = JSON.stringify(await rows().find().toArray());
    for (const text of [number, 'Case Was', 'partner ']) expect(stored).not.toContain(text);
    await cases.identity.publish('user.deleted', { user_id: userId, partner_id: 1, version: 2 });
    await waitFor(async () => (await rows().countDocuments()) === before - 2, { what: 'the erasure' });
    expect(await mine()).toBe(0);
    // What another partner was shown is no data of this user.
    expect(await check(partner(2))).toMatchObject({ source: 'cache' });
  });

  it('is of one caller also for checks at the same time', async () => {
    const callers = [partner(1), partner(1), partner(2), partner(3)];
    const answers = await Promise.all(callers.map((as) => check(as)));
    expect(answers.map(({ source }) => source)).toEqual(['live', 'live', 'live', 'live']);
    expect((await check(partner(1))).source).toBe('cache');
  });
});
