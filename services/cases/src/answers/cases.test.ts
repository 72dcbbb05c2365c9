import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CaseInEvent, receipt, statusUpdated, user } from '../../test/support/fixtures.ts';
import { type Cases, startTestCases } from '../../test/support/start-cases.ts';

describe('cases.cases', () => {
  let cases: Cases;
  let lastUser = 0;
  beforeAll(async () => {
    cases = await startTestCases();
  });
  afterAll(async () => await cases.stop());

  async function create(): Promise<CaseInEvent> {
    const userId = ++lastUser;
    cases.users.set(userId, user(userId));
    const body = { receipt_number: receipt(userId), uscis_access_acknowledged: true };
    const reply = await cases.call('POST', `/v1/client/users/${userId}/cases`, { body });
    const { id, user_case_id, receipt_number } = reply.body.case as CaseInEvent;
    return { id, user_case_id, receipt_number, user_id: userId, partner_id: 1 };
  }
  const ask = (ids: number[], at_least: { version?: number; observation?: number } = {}) =>
    cases.webhooks.bus.request('cases.cases', { ids, at_least });
  /** Asks again while the case is older, as webhooks does: a busy machine may take longer than one request waits. */
  async function askUntil(id: number, at_least: { version?: number; observation?: number }) {
    for (;;) {
      const [found] = (await ask([id], at_least)).cases;
      if (!found) throw new Error(`case ${id} is gone`);
      const isNew = (found.latest_observation ?? 0) >= (at_least.observation ?? 0);
      if (isNew && found.version >= (at_least.version ?? 0)) return found;
    }
  }

  it('answers the cases that exist, as they are, each once, and leaves out the others', async () => {
    const [one, other] = [await create(), await create()];
    const { cases: found } = await ask([other.id, 999_999, one.id, other.id], { observation: 1, version: 1 });
    expect(found.map((reply) => reply.case.id).toSorted((a, b) => a - b)).toEqual([one.id, other.id]);
    expect(found.find((reply) => reply.case.id === one.id)).toMatchObject({
      case: {
        id: one.id,
        receipt_number: one.receipt_number,
        active: true,
        last_checked: '2026-11-20T09:00:00.000Z',
        latest_update: { detail_message: expect.stringMatching(/^USCIS/) },
      },
      user_id: one.user_id,
      partner_id: 1,
      watched: true,
      version: 1,
      monitoring: { state: 'watched', next_check_at: null },
      latest_observation: 1,
    });
  });

  it('does not wait for a case that is not there, or for one that is as new as asked', async () => {
    const one = await create();
    // On a busy machine both may take longer than the wait.
    const isFirst = async () => {
      let isOver = false;
      const waited = ask([one.id], { observation: 9 }).then(() => {
        isOver = true;
      });
      expect(await ask([999_999], { observation: 9 })).toEqual({ cases: [] });
      await ask([one.id], { observation: 1, version: 1 });
      const wasFirst = !isOver;
      await waited;
      return wasFirst;
    };
    expect(await waitFor(isFirst, { what: 'answers before that of the question that waits' })).toBe(true);
  });

  it('waits until the update is stored', async () => {
    const one = await create();
    const asked = askUntil(one.id, { observation: 2 });
    await cases.monitor.publish('status.updated', statusUpdated(one));
    expect(await asked).toMatchObject({ latest_observation: 2 });
  });

  it('waits for what another replica stores', async () => {
    const one = await create();
    const asked = askUntil(one.id, { version: 2 });
    // No event of this process tells of the change.
    await cases.db.collection<{ _id: number }>('cases').updateOne({ _id: one.id }, { $set: { version: 2 } });
    expect(await asked).toMatchObject({ version: 2 });
  });

  it('stops waiting after a moment and answers the older case', async () => {
    const one = await create();
    const started = performance.now();
    const { cases: found } = await ask([one.id], { observation: 9 });
    expect(found).toMatchObject([{ case: { id: one.id }, latest_observation: 1 }]);
    expect(performance.now() - started).toBeGreaterThanOrEqual(140);
  });

  it('takes 1 to 20 ids', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => 900_000 + i);
    expect(await ask(many(20))).toEqual({ cases: [] });
    await expect(ask([])).rejects.toThrow('>=1 items');
    await expect(ask(many(21))).rejects.toThrow('<=20 items');
  });
});
