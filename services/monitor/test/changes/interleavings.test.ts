import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Beginning,
  type Interleaved,
  type Operation,
  startInterleaved,
} from '../support/interleaved.ts';
import { exploreAll } from '../support/step-by-step.ts';

const timeoutMs = 300_000;
/** jest's maxConcurrency. */
const testsAtOnce = 5;
const received = 'Case Was Received';
const approved = 'Case Was Approved';
const wasTold = [{ status_code: approved, observation: 2, skip_reason: null }];

/** Procedures of two cases of one receipt, and answers about it, early and late. */
const operations: Operation[] = [
  'register',
  'end',
  'delete',
  'begin again',
  'change',
  'late',
  'unchanged',
  'unknown',
  'unknown later',
];
/** Where a change waits for its fan-out. */
const besideFanOut: Operation[] = [
  'register',
  'end',
  'delete',
  'begin again',
  'late',
  'unknown later',
  'fan out too',
];
/** Where nobody watches the receipt: those that say anything about it. */
const ofUnwatched: Operation[] = ['register', 'register too', 'change', 'late', 'unknown', 'unknown later'];
const pairsOf = (names: Operation[]) =>
  names.flatMap((first, i) => names.slice(i + 1).map((second) => [first, second] as const));

/** Some 2,800 orders in all: of the steps of two, of a death and what follows it, and of any three. */
describe('registering, ending and recording at once', () => {
  /** A database for each test that runs at the same time. */
  const worlds: Interleaved[] = [];

  beforeAll(async () => {
    worlds.push(...(await Promise.all(Array.from({ length: testsAtOnce }, startInterleaved))));
  }, 60_000);
  afterAll(async () => {
    await Promise.all(worlds.map((world) => world.stop()));
  });

  async function inWorld(test: (world: Interleaved) => Promise<void>): Promise<void> {
    const world = worlds.pop();
    if (!world) throw new Error(`more than ${testsAtOnce} tests at once`);
    try {
      await test(world);
    } finally {
      worlds.push(world);
    }
  }

  /** Nothing is missed and nothing is told twice, whatever happened; the government has the last word. */
  async function expectNoGap(world: Interleaved, ran: readonly Operation[]): Promise<void> {
    const isChanged = ran.includes('change') || ran.includes('fan out');
    const { receipt, watches } = await world.look();
    const active = watches.filter((watch) => watch.active);
    expect(receipt?.watchers ?? 0).toBe(active.length);
    expect([null, ...active.map(({ _id }) => _id)]).toContain(receipt?.watched_by ?? null);
    if (active.length > 1) expect(receipt?.watched_by).toBeNull();
    expect(receipt?.schedule_class ?? null).toEqual(active.length > 0 ? expect.any(String) : null);

    await world.settle(isChanged ? approved : received);
    const [end, updates] = await Promise.all([world.look(), world.updates()]);
    for (const watch of end.watches.filter((row) => row.active)) {
      expect(watch.last_facts_hash).toBe(end.receipt?.facts_hash);
      expect(watch.last_observation).toBeLessThanOrEqual(end.receipt?.observation ?? 0);
      expect(updates.of(watch._id)).toEqual(isChanged ? wasTold : []);
    }
    // Who ended was told at most once, and learns the rest when the case begins again: once in all.
    expect(updates.of(1).length).toBeLessThanOrEqual(isChanged ? 1 : 0);
    await world.settle(isChanged ? approved : received);
    expect((await world.updates()).count).toBe(updates.count);
    if (!watches.some(({ _id, active: is, deleted_at }) => _id === 1 && !is && !deleted_at)) return;
    await world.run('begin again');
    expect((await world.updates()).of(1)).toHaveLength(isChanged ? 1 : 0);
  }

  function interleaveAll(pair: readonly [Operation, Operation], beginning: Beginning): Promise<void> {
    return inWorld(async (world) => {
      const count = await exploreAll(async (choose) => {
        await world.reset(beginning);
        await world.interleave(pair, choose);
        await expectNoGap(world, pair);
      });
      // At least one after the other, both ways.
      expect(count).toBeGreaterThanOrEqual(2);
    });
  }

  it.concurrent.each(pairsOf(operations))(
    'leaves no gap and no double in any order of the steps of %s and %s',
    (...pair) => interleaveAll(pair, 'watched'),
    timeoutMs,
  );

  describe.each(['unwatched', 'unknown'] as const)('where the receipt was %s', (beginning) => {
    it.concurrent.each(pairsOf(ofUnwatched))(
      'leaves no gap and no double in any order of the steps of %s and %s',
      (...pair) => interleaveAll(pair, beginning),
      timeoutMs,
    );
  });

  it.concurrent.each(besideFanOut)(
    'leaves no gap and no double in any order of the steps of a fan-out and %s',
    (other) => interleaveAll(['fan out', other], 'pending'),
    timeoutMs,
  );

  it.concurrent(
    'leaves no gap and no double where a fan-out dies at each of its steps',
    () =>
      inWorld(async (world) => {
        for (const second of besideFanOut) {
          for (let step = 0, isOver = false; !isOver; step++) {
            await world.reset('pending');
            isOver = await world.crash('fan out', step);
            await world.run(second);
            await world.run('fan out');
            await expectNoGap(world, ['fan out', second]);
          }
        }
      }),
    timeoutMs,
  );

  it.concurrent.each(operations)(
    'leaves no gap and no double where %s dies at each of its steps and is done again, whatever happens meanwhile',
    (first) =>
      inWorld(async (world) => {
        for (const second of operations.filter((name) => name !== first)) {
          for (let step = 0, isOver = false; !isOver; step++) {
            await world.reset();
            isOver = await world.crash(first, step);
            await world.run(second);
            await world.run(first);
            await expectNoGap(world, [first, second]);
          }
        }
      }),
    timeoutMs,
  );

  it.concurrent.each(operations)(
    'leaves no gap and no double where %s is followed by any two others',
    (first) =>
      inWorld(async (world) => {
        const others = operations.filter((name) => name !== first);
        for (const second of others) {
          for (const third of others.filter((name) => name !== second)) {
            await world.reset();
            for (const name of [first, second, third]) await world.run(name);
            await expectNoGap(world, [first, second, third]);
          }
        }
      }),
    timeoutMs,
  );
});
