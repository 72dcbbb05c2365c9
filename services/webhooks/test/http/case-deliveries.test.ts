import { operations } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/delivery-world.ts';
import { caseReply, observed, statusUpdated } from '../support/fixtures.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** A status update of a case, as cases and the monitor tell it. */
async function update(id: number, parts: { userId: number; partnerId: number; updateId: number }) {
  const latest = observed(parts.updateId, 2);
  const reply = caseReply({ id, ...parts, latest });
  world.siblings.knownCases.set(id, reply);
  await world.siblings.monitor.publish('status.updated', statusUpdated(reply, latest));
}

const list = (partnerId: number, ref: string | number) =>
  world.service.call(partnerId, 'GET', `/v1/client/cases/${ref}/deliveries`);

describe('GET /v1/client/cases/{case_ref}/deliveries', () => {
  it('200: shows which endpoints got each status of the case, and no other case of the user', async () => {
    const [good, bad] = [await world.subscribe(1, 'good'), await world.subscribe(1, 'bad')];
    await world.receiver.configure('bad', { status: 503, headers: { 'retry-after': '3600' } });
    await update(71, { userId: 700, partnerId: 1, updateId: 7_101 });
    await update(72, { userId: 700, partnerId: 1, updateId: 7_201 });
    const settled = async () => {
      const { status, body } = await list(1, 71);
      expect(status).toBe(200);
      operations.list_case_deliveries.success.body.parse(body);
      const rows = body.deliveries ?? [];
      return rows.length === 2 && rows.every(({ attempt_count }) => attempt_count === 1) && rows;
    };
    const rows = await waitFor(settled, { what: 'both attempts' });
    expect(rows).toContainEqual(
      expect.objectContaining({
        webhook_id: good,
        status_update_id: 7_101,
        status: 'delivered',
        last_status: 200,
        last_error: null,
        next_attempt_at: null,
      }),
    );
    expect(rows).toContainEqual(
      expect.objectContaining({
        webhook_id: bad,
        status_update_id: 7_101,
        status: 'pending',
        last_status: 503,
        last_error: 'http_503',
        next_attempt_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      }),
    );
    expect((await list(1, 'FLOW0000071')).body.deliveries).toHaveLength(2);
  });

  it('404: the case of another partner, a case that is gone, and another spelling of the id', async () => {
    await update(73, { userId: 701, partnerId: 2, updateId: 7_301 });
    for (const [partnerId, ref] of [
      [1, 73],
      [2, 74],
      [2, 'FLOW00000073'],
      [2, 'FLOW0000000'],
    ] as const)
      expect(await list(partnerId, ref)).toMatchObject({ status: 404, body: { code: 'case_not_found' } });
    expect((await list(2, 73)).body).toEqual({ deliveries: [] });
  });
});
