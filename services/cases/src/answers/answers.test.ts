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

  it('counts the cases of a partner with more than ten thousand once a minute, others each time', async () => {
    const rows = Array.from({ length: 10_001 }, (_, i) => ({
      _id: 1_000_000 + i,
      partner_id: 7,
      active: true,
    }));
    const manyCases = rows.map((row) => ({ ...row, user_id: row._id, receipt_number: String(row._id) }));
    await cases.db.collection<{ _id: number }>('cases').insertMany(manyCases);
    const count = (partner_id: number) => cases.identity.bus.request('cases.count', { partner_id });
    const counted = { cases: 10_001, active_cases: 10_001 };
    expect(await count(7)).toEqual(counted);
    await create(70, 70, 7);
    expect(await count(7)).toEqual(counted);

    await create(80, 80, 8);
    expect(await count(8)).toEqual({ cases: 1, active_cases: 1 });
    await create(81, 81, 8);
    expect(await count(8)).toEqual({ cases: 2, active_cases: 2 });
  });
});

describe('the cases service without its siblings', () => {
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
