import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { receipt, seen, user } from '../../test/support/fixtures.ts';
import { type Cases, startTestCases } from '../../test/support/start-cases.ts';
import {
  type Ending,
  endings,
  eventsOf,
  leftAfter,
  refusalAfter,
  storedOf,
  watchesAfter,
} from '../../test/support/user-ends.ts';

describe('a user who ends while their case is created, seen from outside', () => {
  let cases: Cases;
  let userId = 0;
  beforeAll(async () => {
    cases = await startTestCases();
  });
  afterAll(async () => await cases.stop());
  beforeEach(() => {
    userId += 1;
    cases.users.set(userId, user(userId));
    cases.monitorSays(async () => seen());
    cases.afterUserAnswer(null);
  });

  /** Identity has written it: it says so from here on, and the event is on its way. */
  async function end(ending: Ending): Promise<void> {
    const about = { user_id: userId, partner_id: 1, version: 2 };
    if (ending === 'deleted') {
      cases.users.delete(userId);
      await cases.identity.publish('user.deleted', about);
      return;
    }
    cases.users.set(userId, user(userId, { status: ending, version: 2 }));
    await cases.identity.publish('user.updated', { ...about, status: ending });
  }

  async function endAndBeHeard(ending: Ending): Promise<void> {
    await end(ending);
    await heard();
  }

  const heard = () =>
    waitFor(() => cases.db.collection<{ _id: number }>('user_states').findOne({ _id: userId, version: 2 }), {
      timeoutMs: 30_000,
      what: 'the word of the end',
    });

  const create = () =>
    cases.call('POST', `/v1/client/users/${userId}/cases`, {
      body: { receipt_number: receipt(userId), uscis_access_acknowledged: true },
    });

  /** Once every event that is stored has come to the monitor. */
  async function left() {
    await waitFor(
      async () => {
        const stored = await storedOf(cases.db, userId);
        const rows = await cases.db.collection('outbox').find({}).toArray();
        const told = rows.map(({ type, body }) => ({ type: String(type), data: JSON.parse(body).data }));
        const isAllHeard = eventsOf(told, userId).length === eventsOf(cases.events, userId).length;
        return stored.watched === 0 && isAllHeard;
      },
      { timeoutMs: 30_000, what: 'the end of every watch' },
    );
    return [await storedOf(cases.db, userId), watchesAfter(cases.events, userId)];
  }

  it.each(endings)('as %s before identity is asked, word of it coming first, has no case', async (ending) => {
    await endAndBeHeard(ending);
    const { status, body } = await create();
    expect([status, body.code]).toEqual(refusalAfter(ending));
    expect(await left()).toEqual([leftAfter(ending, false), 0]);
  });

  it.each(endings)('as %s before identity is asked, word of it coming late, has no case', async (ending) => {
    cases.users.delete(userId);
    if (ending !== 'deleted') cases.users.set(userId, user(userId, { status: ending, version: 2 }));
    const { status, body } = await create();
    expect([status, body.code]).toEqual(refusalAfter(ending));
    await endAndBeHeard(ending);
    expect(await left()).toEqual([leftAfter(ending, false), 0]);
  });

  it.each(endings)("as %s between identity's answer and the check has no case", async (ending) => {
    cases.afterUserAnswer(() => endAndBeHeard(ending));
    const { status, body } = await create();
    expect([status, body.code]).toEqual(refusalAfter(ending));
    expect(cases.checks.filter(({ receipt_number }) => receipt_number === receipt(userId))).toEqual([]);
    expect(await left()).toEqual([leftAfter(ending, false), 0]);
  });

  it.each(endings)('as %s during the check has no case', async (ending) => {
    cases.monitorSays(async () => {
      await endAndBeHeard(ending);
      return seen();
    });
    const { status, body } = await create();
    expect([status, body.code]).toEqual(refusalAfter(ending));
    expect(await left()).toEqual([leftAfter(ending, false), 0]);
  });

  it.each(endings)('as %s during the check, word of it coming late, has no watched case', async (ending) => {
    // Identity's word is held back: what it said of the user when it was asked is all that cases knows.
    cases.monitorSays(async () => {
      if (ending === 'deleted') cases.users.delete(userId);
      return seen();
    });
    expect((await create()).status).toBe(201);
    await endAndBeHeard(ending);
    expect(await left()).toEqual([leftAfter(ending, true), 0]);
  });

  it.each(endings)('as %s after the case was published has no watched case', async (ending) => {
    expect((await create()).status).toBe(201);
    await waitFor(() => watchesAfter(cases.events, userId) === 1, {
      timeoutMs: 30_000,
      what: 'the watch',
    });
    await endAndBeHeard(ending);
    expect(await left()).toEqual([leftAfter(ending, true), 0]);
  });
});
