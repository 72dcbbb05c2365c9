import type { Connection } from '@casewatch/platform/database';
import { connectDatabase, startMongo, type TestMongo } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createQuotaDays } from '../../src/domain/quota-day.ts';
import { type Budget, createBudget } from '../../src/sending/budget.ts';
import { createBudgetStore } from '../../src/store/upstream-budget.ts';

const noon = new Date('2026-11-21T12:00:00.000Z');
const day = '2026-11-21';
const clock = { now: () => noon };
const wallClock = clock;
const quotaDays = { ...createQuotaDays('UTC', null), partLeft: () => 1 };

describe('the budget of the day', () => {
  let mongo: TestMongo;
  let db: Connection;
  beforeAll(async () => {
    mongo = await startMongo();
    db = await connectDatabase(mongo.url('monitor'));
  });
  beforeEach(() => db.collection('upstream_budget').deleteMany({}));
  afterAll(async () => {
    await db.close();
    await mongo.stop();
  });

  function open(daily: number) {
    db.deleteModel(/./);
    const store = createBudgetStore(db);
    const quota = { daily, share: 0.15, max: 0.3 };
    const begin = () => createBudget({ stores: { budget: store }, quota, quotaDays, clock, wallClock });
    return { store, begin };
  }

  async function takeMany(budget: Budget, count: number): Promise<number> {
    for (let taken = 0; taken < count; taken++) if (!(await budget.take('background'))) return taken;
    return count;
  }

  it('reserves fifty requests at a time, and fewer on a small day', async () => {
    for (const [daily, block] of [
      [1_000_000_000, 50],
      [10_000, 10],
      [500, 1],
    ] as const) {
      await db.collection('upstream_budget').deleteMany({});
      const { store, begin } = open(daily);
      await takeMany(begin(), 1);
      expect(await store.read(day)).toEqual({ interactive: 0, background: block });
    }
  });

  it('hands back all that it did not use', async () => {
    const { store, begin } = open(1_000_000_000);
    const budget = begin();
    await takeMany(budget, 31);
    await budget.releaseUnused();
    expect(await store.read(day)).toEqual({ interactive: 0, background: 31 });
  });

  it('is never exceeded by senders that die one after the other, and all of it is used but what they held', async () => {
    const daily = 20_000;
    const { store, begin } = open(daily);
    const background = daily - daily * 0.15;
    let sent = 0;
    // A sender is killed by being forgotten: what it had reserved is nobody's.
    const lives = 30;
    for (let life = 0; life < lives; life++) sent += await takeMany(begin(), 7 * life + 1);
    for (let last = 1; last > 0; sent += last) last = await takeMany(begin(), background);
    expect(sent).toBeLessThanOrEqual(background);
    expect(sent).toBeGreaterThanOrEqual(background - lives * 2 * 20);
    expect((await store.read(day)).background).toBeLessThanOrEqual(background);
  });
});
