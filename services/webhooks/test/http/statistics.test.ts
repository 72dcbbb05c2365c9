import { operations, type StatisticsPeriod } from '@casewatch/contracts';
import { connectDatabase } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/delivery-world.ts';
import { partner } from '../support/start-webhooks.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

let world: World;
let db: Awaited<ReturnType<typeof connectDatabase>>;
beforeAll(async () => {
  world = await startWorld();
  db = await connectDatabase(world.service.dbUrl);
});
afterAll(async () => {
  await db.close();
  await world.stop();
});

type Stored = { type: string; agoMs: number; count: number };

/** Events as the service stores them. */
async function store(partnerId: number, groups: readonly Stored[]): Promise<void> {
  const rows = groups.flatMap(({ type, agoMs, count }, group) =>
    Array.from({ length: count }, (_, nth) => ({
      _id: `evt_${partnerId}-${group}-${nth}`,
      partner_id: partnerId,
      user_id: 1,
      type,
      body: '{}',
      intake_at: new Date(Date.now() - agoMs),
    })),
  );
  await db.collection<{ _id: string }>('events').insertMany(rows);
}

async function statistics(partnerId: number) {
  const caller = { ...partner(partnerId), scopes: ['profile:read'] as ['profile:read'] };
  const { status, body } = await world.service.callAs(caller, 'GET', '/v1/client/statistics');
  expect(status).toBe(200);
  return operations.get_statistics.success.body.parse(body);
}

const total = (periods: StatisticsPeriod[], name: keyof Omit<StatisticsPeriod, 'start'>) =>
  periods.reduce((sum, period) => sum + period[name], 0);

describe('GET /v1/client/statistics', () => {
  it('200: counts the last 24 hours and 30 days of the partner, and nothing older', async () => {
    await store(1, [
      { type: 'case.status_updated', agoMs: 0, count: 3 },
      { type: 'case.status_updated', agoMs: 3 * dayMs, count: 2 },
      { type: 'case.status_updated', agoMs: 31 * dayMs, count: 5 },
      { type: 'user.created', agoMs: 2 * hourMs, count: 1 },
      { type: 'notification.failed', agoMs: 5 * dayMs, count: 4 },
      { type: 'user.updated', agoMs: 0, count: 7 },
    ]);
    await store(2, [{ type: 'case.created', agoMs: 0, count: 9 }]);
    const { hours, days } = await statistics(1);
    expect([hours.length, days.length]).toEqual([24, 30]);
    expect([total(hours, 'status_changes'), total(days, 'status_changes')]).toEqual([3, 5]);
    expect([total(hours, 'users_created'), total(days, 'users_created')]).toEqual([1, 1]);
    expect([total(hours, 'notifications_failed'), total(days, 'notifications_failed')]).toEqual([0, 4]);
    expect([total(days, 'cases_created'), total(days, 'deliveries')]).toEqual([0, 0]);
    const startOfHour = new Date(Math.floor(Date.now() / hourMs) * hourMs).toISOString();
    expect(hours.at(-1)?.start).toBe(startOfHour.slice(0, 19).replace('T', ' '));
  });

  it('200: counts deliveries, and those that failed', async () => {
    const id = await world.subscribe(3, 'counted');
    const data = { user_id: 301, partner_id: 3, version: 2 };
    await world.siblings.identity.publish('user.deleted', data);
    await world.delivery(3, id, ({ status }) => status === 'delivered');
    // The last attempt of a delivery comes after three days.
    const failed = { _id: `evt_old:${id}`, webhook_id: id, status: 'failed', created_at: new Date() };
    await db.collection<{ _id: string }>('deliveries').insertOne(failed);
    const { hours, days } = await statistics(3);
    expect([total(hours, 'deliveries'), total(days, 'deliveries')]).toEqual([2, 2]);
    expect(total(hours, 'deliveries_failed')).toBe(1);
  });

  it('reads keys of indexes and no events', async () => {
    await db.db?.command({ profile: 2 });
    await statistics(1);
    await db.db?.command({ profile: 0 });
    const reads = await db
      .collection('system.profile')
      .find({ ns: /\.(events|deliveries)$/, 'command.aggregate': { $exists: true } })
      .toArray();
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.map(({ docsExamined }) => docsExamined)).toEqual(reads.map(() => 0));
  });
});
