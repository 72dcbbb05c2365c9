import { maxTotal } from '@casewatch/contracts';
import { start } from '@casewatch/platform';
import { connectAs, startMongo, startNats } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { receipt, user } from '../../test/support/fixtures.ts';
import { settings } from '../../test/support/settings.ts';
import { type Cases, partner, startTestCases } from '../../test/support/start-cases.ts';
import { cases as casesService } from '../service.ts';

describe('what cases answers over the bus', () => {
  let cases: Cases;
  beforeAll(async () => {
    cases = await startTestCases();
  });
  afterAll(async () => await cases.stop());

  const create = async (userId: number, n: number, partnerId = 1) => {
    cases.users.set(userId, user(userId, { partner_id: partnerId }));
    const body = { receipt_number: receipt(n), uscis_access_acknowledged: true };
    const as = partner(partnerId);
    return (await cases.call('POST', `/v1/client/users/${userId}/cases`, { as, body })).body.case as {
      id: number;
    };
  };

  it("answers cases.count with a partner's cases and those of them that are active", async () => {
    const { id } = await create(50, 50, 5);
    await create(51, 51, 5);
    await cases.call('PUT', `/v1/users/50/cases/${id}`, { as: partner(5), body: { active: false } });
    expect(await cases.identity.bus.request('cases.count', { partner_id: 5 })).toEqual({
      cases: 2,
      active_cases: 1,
    });
    expect(await cases.identity.bus.request('cases.count', { partner_id: 6 })).toEqual({
      cases: 0,
      active_cases: 0,
    });
  });

  it('answers cases.active with the days of notices, also with those that have passed: no estimate takes their place', async () => {
    const { id } = await create(60, 60, 9);
    const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const active = async () => (await cases.notifier.bus.request('cases.active', { case_ids: [id] })).notices;
    for (const [i, days] of [3, -3].entries()) {
      const date = dayFromNow(days);
      const change = { respond_by: { date, source: 'notice' }, latest_update: { id: 600 + i } };
      await cases.db.collection<{ _id: number }>('cases').updateOne({ _id: id }, { $set: change });
      expect(await active()).toEqual([{ status_update_id: 600 + i, date }]);
    }
    const ours = { respond_by: { date: dayFromNow(3), source: 'estimate' } };
    await cases.db.collection<{ _id: number }>('cases').updateOne({ _id: id }, { $set: ours });
    expect(await active()).toEqual([]);
  });

  it('answers cases.due with what is ahead, and of what has passed the latest as far as there is room', async () => {
    await create(90, 90, 10);
    const rows = cases.db.collection<{ _id: number }>('cases');
    const template = await rows.findOne({ partner_id: 10 });
    if (template === null) throw new Error('no case');
    const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const insert = async (count: number, dayOf: (i: number) => string, first: number) =>
      await rows.insertMany(
        Array.from({ length: count }, (_, i) => ({
          ...template,
          ...{ _id: first + i, user_id: first + i, receipt_number: String(first + i) },
          ...{ due_on: dayOf(i), assignee_id: i % 2 === 0 ? 7 : null },
        })),
      );
    await insert(520, (i) => dayFromNow(-600 + i), 2_000_000);
    await insert(3, (i) => dayFromNow(5 + i), 2_100_000);
    const asked = { partner_id: 10, staff_id: 7 };
    const gateway = await connectAs(cases.nats, 'gateway');
    const dates = (await gateway.request('cases.due', asked)).due.map(({ date }) => date);
    await gateway.stop();
    expect(dates).toHaveLength(500);
    expect(dates.slice(-4)).toEqual([-81, 5, 6, 7].map(dayFromNow));
    expect(dates).toEqual(dates.toSorted());
  });

  it('counts each time, from keys alone, and no more of them than lists count', async () => {
    const rows = Array.from({ length: maxTotal + 500 }, (_, i) => ({
      _id: 1_000_000 + i,
      partner_id: 7,
      // Few are active: neither kind is read to its end because of the other.
      active: i < 3,
      watched: false,
    }));
    const manyCases = rows.map((row) => ({ ...row, user_id: row._id, receipt_number: String(row._id) }));
    await cases.db.collection<{ _id: number }>('cases').insertMany(manyCases);
    const count = (partner_id: number) => cases.identity.bus.request('cases.count', { partner_id });
    await cases.db.db?.command({ profile: 2 });
    expect(await count(7)).toEqual({ cases: maxTotal + 1, active_cases: 3 });
    await create(70, 70, 7);
    expect(await count(7)).toEqual({ cases: maxTotal + 1, active_cases: 4 });
    await cases.db.db?.command({ profile: 0 });
    const ofCount = { 'command.aggregate': 'cases', 'command.pipeline.0.$match.partner_id': 7 };
    const scans = await cases.db.collection('system.profile').find(ofCount).toArray();
    expect(scans.map(({ docsExamined }) => docsExamined)).toEqual([0, 0, 0, 0]);
    for (const { keysExamined } of scans) expect(keysExamined).toBeLessThanOrEqual(maxTotal + 2);

    await create(80, 80, 8);
    expect(await count(8)).toEqual({ cases: 1, active_cases: 1 });
    await create(81, 81, 8);
    expect(await count(8)).toEqual({ cases: 2, active_cases: 2 });
  });
});

describe('the cases service without the other services', () => {
  it('is ready, starts beside another of its kind, and answers nothing it cannot know', async () => {
    const [mongo, nats] = await Promise.all([startMongo(), startNats()]);
    const { env } = settings(mongo, nats);
    const both = await Promise.all([start(casesService, env), start(casesService, env)]);
    for (const { port } of both) expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    const [{ port }] = both;
    const refused = await fetch(`http://127.0.0.1:${port}/v1/client/cases`);
    expect(refused.status).toBe(401);

    const bus = await connectAs(nats, 'identity');
    expect(await bus.request('cases.count', { partner_id: 1 })).toEqual({ cases: 0, active_cases: 0 });
    await bus.stop();
    for (const service of both) await service.stop();
    await nats.stop();
    await mongo.stop();
  });
});
