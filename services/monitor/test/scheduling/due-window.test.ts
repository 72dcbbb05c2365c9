import { type Connection, createLogger, prepareModels, systemClock } from '@casewatch/platform';
import { connectDatabase, startMongo, type TestMongo, waitFor } from '@casewatch/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Receipt, unknownReceipt } from '../../src/domain/receipt.ts';
import type { ScheduleClass } from '../../src/domain/schedule-class.ts';
import { unstretched } from '../../src/domain/stretch.ts';
import { createDueQueue } from '../../src/scheduling/due-queue.ts';
import { readDueReceipts } from '../../src/scheduling/due-reader.ts';
import { createStores, type Stores } from '../../src/store/stores.ts';

const waitMs = 30_000;
/** How often a window looks back at what it has passed already, ms. */
const rewindMs = 5_000;
const log = createLogger('monitor', 'silent');

function due(number: number, schedule_class: ScheduleClass, inMs: number): Receipt {
  const _id = `IOE${String(number).padStart(10, '0')}`;
  const turn = { schedule_class, next_check_at: new Date(Date.now() + inMs), watchers: 1, revision: 1 };
  return { ...unknownReceipt(_id), ...turn, expires_at: null };
}

describe('windows of due receipts', () => {
  let mongo: TestMongo;
  let db: Connection;
  let stores: Stores;
  /** How often each receipt was brought. */
  let brought: Map<string, number>;
  let stop: () => Promise<void>;

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
    brought = new Map();
  });
  afterEach(() => stop());

  function startReading() {
    const queue = createDueQueue(() => ({ scale: 1, stretch: unstretched, random: Math.random }));
    const counting: typeof queue = {
      ...queue,
      add(rows) {
        for (const { _id } of rows) brought.set(_id, (brought.get(_id) ?? 0) + 1);
        queue.add(rows);
      },
    };
    const config = { USCIS_RATE_PER_SECOND: 500 };
    stop = readDueReceipts({ config, clock: systemClock, log, stores }, counting).stop;
    return queue;
  }

  const insert = (...rows: Receipt[]) => db.collection<Receipt>('receipts').insertMany(rows);
  const isBrought = (number: number) =>
    waitFor(() => brought.has(due(number, 'new', 0)._id), { timeoutMs: waitMs, what: `receipt ${number}` });

  it('brings each of many waiting receipts once, and again only when it looks back', async () => {
    await insert(
      ...Array.from({ length: 300 }, (_, i) => due(i, 'normal', -1_000)),
      due(900, 'normal', 3_000),
    );
    const startMs = performance.now();
    startReading();
    await isBrought(900);
    const looksBack = 1 + Math.ceil((performance.now() - startMs) / rewindMs);

    expect(brought.size).toBe(301);
    expect(Math.max(...brought.values())).toBeLessThanOrEqual(looksBack);
  });

  it('finds a receipt whose date its class’s windows had passed when it was written', async () => {
    await insert(...Array.from({ length: 300 }, (_, i) => due(i, 'normal', -1_000)));
    startReading();
    await isBrought(299);
    await insert(due(900, 'normal', -6_000));
    await isBrought(900);

    expect(brought.get(due(900, 'normal', 0)._id)).toBeGreaterThan(0);
  });

  it('reads on from the last row where more is due than a window holds', async () => {
    await insert(...Array.from({ length: 4_500 }, (_, i) => due(i, 'normal', -10_000 + i)));
    const startMs = performance.now();
    const queue = startReading();
    const makeRoom = () => {
      while (queue.take(systemClock.now()));
      return brought.size === 4_500;
    };
    await waitFor(makeRoom, { timeoutMs: waitMs, what: 'all of them' });
    const looksBack = 1 + Math.ceil((performance.now() - startMs) / rewindMs);

    // The last of a window is the first of the next one: others may be due at its very moment.
    expect(Math.max(...brought.values())).toBeLessThanOrEqual(looksBack + 1);
  });

  it('gives a class of which much is due windows of its own, and the others are found beside it', async () => {
    await insert(...Array.from({ length: 4_500 }, (_, i) => due(i, 'normal', -10_000 + i)));
    await insert(due(8_001, 'hot', -500), due(8_002, 'stop', -400), due(8_003, 'new', -300));
    startReading();
    await isBrought(8_003);
    await insert(due(8_004, 'hot', -2_000));
    await isBrought(8_004);
    // Nobody takes anything here: there is no room for more of the class that is behind.
    const normal = [...brought.keys()].filter((id) => id < due(8_000, 'new', 0)._id);

    expect(normal.length).toBeLessThan(4_500);
    expect(brought.size - normal.length).toBe(4);
  });

  it('finds the first receipt of a class that held none while much is checked in another', async () => {
    await insert(...Array.from({ length: 300 }, (_, i) => due(i, 'normal', -1_000)));
    startReading();
    await isBrought(299);
    await insert(due(900, 'hot', -500));
    await isBrought(900);
    // From then on its windows come each second, like any other's.
    await insert(due(901, 'hot', 500));
    await isBrought(901);

    expect(brought.get(due(901, 'hot', 0)._id)).toBeGreaterThan(0);
  });
});
