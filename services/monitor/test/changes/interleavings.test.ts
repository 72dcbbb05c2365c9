import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Receipt, Watch } from '../../src/domain/receipt.ts';
import { type Interleaved, type Operation, startInterleaved } from '../support/interleaved.ts';
import type { Beginning, Stage } from '../support/stages.ts';
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
  'touch',
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
  'touch',
  'unknown later',
  'fan out too',
];
/** Where nobody watches the receipt: those that say anything about it. */
const ofUnwatched: Operation[] = ['register', 'register too', 'change', 'late', 'unknown', 'unknown later'];
type Run = { stage: Stage; ran: readonly Operation[] };

const pairsOf = (names: Operation[]) =>
  names.flatMap((first, i) => names.slice(i + 1).map((second) => [first, second] as const));

/** Some 1,100 orders in all: of the steps of two, of a death and what follows it, and of any three. */
describe('registering, ending and recording at the same time', () => {
  /** A database for each test that runs at the same time. */
  const worlds: Interleaved[] = [];

  beforeAll(async () => {
    worlds.push(...(await Promise.all(Array.from({ length: testsAtOnce }, startInterleaved))));
  });
  afterAll(async () => {
    await Promise.all(worlds.map((world) => world.stop()));
  });

  /** `explore` runs orders on stages of their own. All are checked together: a query for each would take most of the time. */
  async function inWorld(explore: (world: Interleaved) => Promise<Run[]>): Promise<void> {
    const world = worlds.pop();
    if (!world) throw new Error(`more than ${testsAtOnce} tests at once`);
    try {
      await expectNoGaps(world, await explore(world));
      await world.clear();
    } finally {
      worlds.push(world);
    }
  }

  /** Nothing is missed and nothing is told twice, whatever happened; the government has the last word. */
  async function expectNoGaps(world: Interleaved, runs: readonly Run[]): Promise<void> {
    const settleAll = async () => {
      await forEachOf(runs, ({ stage, ran }) => world.settle(stage, isChanged(ran) ? approved : received));
      await world.passOn();
    };
    const before = await world.look();
    for (const { stage } of runs) expectWatchers(before.receipt(stage), before.watches(stage));

    await settleAll();
    const [end, updates] = await Promise.all([world.look(), world.updates()]);
    for (const { stage, ran } of runs) {
      const receipt = end.receipt(stage);
      const told = isChanged(ran) ? wasTold : [];
      for (const watch of end.watches(stage).filter((row) => row.active)) {
        expect(watch.last_facts_hash).toBe(receipt?.facts_hash);
        expect(watch.last_observation).toBeLessThanOrEqual(receipt?.observation ?? 0);
        expect(updates.of(watch._id)).toEqual(told);
      }
      // A case that ended was told at most once, and learns the rest when it begins again: once in all.
      expect(updates.of(stage.caseId(1)).length).toBeLessThanOrEqual(told.length);
    }
    // A touch names an update that the case has got.
    const { touched, given } = await world.touches();
    for (const { stage } of runs)
      for (const caseId of [1, 2, 3].map(stage.caseId))
        expect(given(caseId)).toEqual(expect.arrayContaining(touched(caseId)));
    await settleAll();
    const again = await world.updates();
    for (const { stage } of runs) expect(again.count(stage)).toBe(updates.count(stage));

    const hasEnded = ({ stage }: Run) =>
      before
        .watches(stage)
        .some(({ _id, active, deleted_at }) => _id === stage.caseId(1) && !active && !deleted_at);
    const ended = runs.filter(hasEnded);
    await forEachOf(ended, ({ stage }) => world.run(stage, 'begin again'));
    const last = await world.updates();
    for (const { stage, ran } of ended) expect(last.of(stage.caseId(1))).toHaveLength(isChanged(ran) ? 1 : 0);
  }

  function interleaveAll(pair: readonly [Operation, Operation], beginning: Beginning): Promise<void> {
    return inWorld(async (world) => {
      const runs: Run[] = [];
      await exploreAll(async (choose) => {
        const stage = await world.begin(beginning);
        await world.interleave(stage, pair, choose);
        runs.push({ stage, ran: pair });
      });
      // At least one after the other, both ways.
      expect(runs.length).toBeGreaterThanOrEqual(2);
      return runs;
    });
  }

  /**
   * The first dies before each of its writes, then the second runs, then the first from its beginning. A death before a read
   * leaves what a death after it does.
   */
  async function crashAtEachWrite(
    world: Interleaved,
    [first, second]: readonly [Operation, Operation],
    beginning: Beginning,
  ): Promise<Run[]> {
    const runs: Run[] = [];
    for (let write = 0, isOver = false; !isOver; write++) {
      const stage = await world.begin(beginning);
      isOver = await world.crash(stage, first, write);
      await world.run(stage, second);
      await world.run(stage, first);
      runs.push({ stage, ran: [first, second] });
    }
    return runs;
  }

  it.each(pairsOf(operations))(
    'leaves no gap and no double in any order of the steps of %s and %s',
    (...pair) => interleaveAll(pair, 'watched'),
    timeoutMs,
  );

  describe.each(['unwatched', 'unknown'] as const)('where the receipt was %s', (beginning) => {
    it.each(pairsOf(ofUnwatched))(
      'leaves no gap and no double in any order of the steps of %s and %s',
      (...pair) => interleaveAll(pair, beginning),
      timeoutMs,
    );
  });

  it.each(besideFanOut)(
    'leaves no gap and no double in any order of the steps of a fan-out and %s',
    (other) => interleaveAll(['fan out', other], 'pending'),
    timeoutMs,
  );

  it(
    'leaves no gap and no double where a fan-out dies before each of its writes',
    () =>
      inWorld(async (world) => {
        const runs: Run[] = [];
        for (const second of besideFanOut)
          runs.push(...(await crashAtEachWrite(world, ['fan out', second], 'pending')));
        return runs;
      }),
    timeoutMs,
  );

  it.each(operations)(
    'leaves no gap and no double where %s dies before each of its writes and is done again, whatever happens meanwhile',
    (first) =>
      inWorld(async (world) => {
        const runs: Run[] = [];
        for (const second of operations.filter((name) => name !== first))
          runs.push(...(await crashAtEachWrite(world, [first, second], 'watched')));
        return runs;
      }),
    timeoutMs,
  );

  it.each(operations)(
    'leaves no gap and no double where %s is followed by any two others',
    (first) =>
      inWorld(async (world) => {
        const runs: Run[] = [];
        const others = operations.filter((name) => name !== first);
        for (const second of others) {
          for (const third of others.filter((name) => name !== second)) {
            const stage = await world.begin();
            const ran = [first, second, third];
            for (const name of ran) await world.run(stage, name);
            runs.push({ stage, ran });
          }
        }
        return runs;
      }),
    timeoutMs,
  );
});

/** Few at once, so that none waits long for a connection. */
async function forEachOf(runs: readonly Run[], work: (run: Run) => Promise<unknown>): Promise<void> {
  const atOnce = 8;
  for (let i = 0; i < runs.length; i += atOnce) await Promise.all(runs.slice(i, i + atOnce).map(work));
}

const isChanged = (ran: readonly Operation[]) => ran.includes('change') || ran.includes('fan out');

function expectWatchers(receipt: Receipt | null, watches: readonly Watch[]): void {
  const active = watches.filter((watch) => watch.active);
  expect(receipt?.watchers ?? 0).toBe(active.length);
  expect([null, ...active.map(({ _id }) => _id)]).toContain(receipt?.watched_by ?? null);
  if (active.length > 1) expect(receipt?.watched_by).toBeNull();
  expect(receipt?.bucket ?? null).toEqual(active.length > 0 ? expect.any(String) : null);
}
