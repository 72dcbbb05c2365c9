import { createLogger } from '@casewatch/platform';
import { type Connection, prepareModels } from '@casewatch/platform/database';
import { connectDatabase, startMongo, type TestMongo, waitFor } from '@casewatch/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { planFor } from '../../src/domain/plan.ts';
import { type Receipt, unknownReceipt } from '../../src/domain/receipt.ts';
import { createDueQueue } from '../../src/scheduling/due-queue.ts';
import { readDueReceipts } from '../../src/scheduling/due-reader.ts';
import { createStores, type Stores } from '../../src/store/stores.ts';

const hour = 3_600_000;
const patience = { timeoutMs: 30_000 };
const log = createLogger('monitor', 'silent');
/** Much quota: 30 minutes for all. */
const planner = { plan: planFor(new Map(), { perDay: 1_000_000, scale: 1 }) };

function watched(number: number, bucket: string | null, agoMs: number): Receipt {
  const checked_at = new Date(Date.now() - agoMs);
  const _id = `IOE${String(number).padStart(10, '0')}`;
  return { ...unknownReceipt(_id), bucket, checked_at, watchers: 1, revision: 1 };
}

describe('due receipts', () => {
  let mongo: TestMongo;
  let db: Connection;
  let stores: Stores;
  let stop = async () => {};
  let nowMs: () => number;

  beforeAll(async () => {
    mongo = await startMongo();
    db = await connectDatabase(mongo.url('monitor'));
    stores = createStores(db);
    await prepareModels(db);
  });
  afterAll(async () => {
    await db.close();
    await mongo.stop();
  });
  beforeEach(async () => {
    await db.collection('receipts').deleteMany({});
    nowMs = Date.now;
  });
  afterEach(() => stop());

  function startReading() {
    const queue = createDueQueue(planner);
    const clock = { now: () => new Date(nowMs()) };
    const config = { USCIS_RATE_PER_SECOND: 5, MONITOR_INTERVAL_SCALE: 1 };
    const upstream = { blockedBy: () => null };
    const ctx = { config, clock, log, stores, planner, queue, upstream };
    stop = readDueReceipts(ctx as unknown as Parameters<typeof readDueReceipts>[0]).stop;
    return { take: () => queue.take(clock.now())?._id };
  }
  const insert = (...rows: Receipt[]) => db.collection<Receipt>('receipts').insertMany(rows);

  it('are all found, more than fit into one read, the most overdue first', async () => {
    planner.plan = planFor(
      new Map([
        ['rate-20', 100],
        ['rate-05', 100],
      ]),
      { perDay: 100, scale: 1 },
    );
    const [fast, slow] = ['rate-20', 'rate-05'].map((bucket) => planner.plan.intervalMs(bucket));
    const rows = Array.from({ length: 60 }, (_, i) => [
      watched(i, 'rate-20', (fast ?? 0) * (1.1 + i / 100)),
      watched(100 + i, 'rate-05', (slow ?? 0) * (1.1 + i / 100)),
    ]);
    await insert(...rows.flat(), watched(300, 'first', 0), watched(301, 'rate-20', hour));
    const queue = startReading();
    const taken: string[] = [];
    await waitFor(() => {
      for (let id = queue.take(); id; id = queue.take()) taken.push(id);
      return taken.length === 121;
    }, patience);
    expect(new Set(taken).size).toBe(121);
    expect(taken[0]).toBe(watched(300, 'first', 0)._id);
    expect(taken).not.toContain(watched(301, 'rate-20', 0)._id);
    planner.plan = planFor(new Map(), { perDay: 1_000_000, scale: 1 });
  });

  it('follow a new plan immediately: only the time of the check is stored', async () => {
    planner.plan = planFor(new Map([['rate-13', 10_000]]), { perDay: 1_000, scale: 1 });
    await insert(watched(1, 'rate-13', 4 * 24 * hour));
    const queue = startReading();
    await waitFor(async () => (await stores.receipts.oldestChecks()).length === 1, patience);
    expect(queue.take()).toBeUndefined();
    planner.plan = planFor(new Map([['rate-13', 10_000]]), { perDay: 10_000, scale: 1 });
    await waitFor(() => queue.take(), patience);
  });

  it('are found after the clock has stepped back', async () => {
    planner.plan = planFor(new Map(), { perDay: 1_000_000, scale: 1 });
    await insert(watched(1, 'rate-13', 3 * hour));
    const queue = startReading();
    await waitFor(() => queue.take(), patience);
    nowMs = () => Date.now() - hour;
    await insert(watched(2, 'rate-13', 3 * hour));
    expect(await waitFor(() => queue.take(), patience)).toBe(watched(2, null, 0)._id);
  });
});
