import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Interleaved, startInterleaved } from '../support/interleaved.ts';

/** Some pairs wait for each other's locks; the driver backs off between tries. */
const timeoutMs = 300_000;

describe('registering, ending and recording at once', () => {
  let world: Interleaved;

  beforeAll(async () => {
    world = await startInterleaved();
  });
  afterAll(() => world.stop());

  const names = ['register', 'end', 'delete', 'change', 'late', 'unchanged', 'unknown'] as const;
  const pairs = names.flatMap((first) =>
    names.filter((name) => name !== first).map((second) => [first, second] as const),
  );

  it.each(pairs)(
    'leaves no gap and no double where %s is held up at each of its steps while %s happens',
    async (first, second) => {
      let steps = 0;
      for (let step = 0, isOver = false; !isOver; step++) {
        await world.reset();
        isOver = (await world.interleave(first, second, step)).isOver;
        steps += 1;
        const ran = [first, second];
        const { receipt, watches, updatesOf } = await world.look();
        const active = watches.filter((watch) => watch.active);

        expect(receipt?.watchers ?? 0).toBe(active.length);
        expect(receipt?.schedule_class ?? null).toEqual(active.length > 0 ? expect.any(String) : null);
        const isChanged = ran.includes('change');
        // With its last case a receipt is forgotten: what is seen of it later is a new beginning.
        if (receipt && !(ran.includes('delete') && active.length === 0)) {
          // Made anew of what the second case knows, it has its hash and not yet the words.
          const isMadeAnew = ran.includes('delete') && receipt.facts === null;
          if (!isMadeAnew)
            expect(receipt.facts?.status_code).toBe(isChanged ? 'Case Was Approved' : 'Case Was Received');
          expect(receipt.observation).toBe(isChanged ? 2 : 1);
        }
        // Whoever watches knows what the receipt shows, and was told of it.
        for (const watch of active) {
          expect(watch.last_facts_hash).toBe(receipt?.facts_hash);
          expect(updatesOf(watch._id)).toEqual(
            isChanged ? [{ status_code: 'Case Was Approved', observation: 2, skip_reason: null }] : [],
          );
        }
        // Who ended was told at most once, and learns the rest when the case begins again: once in all.
        expect(updatesOf(1).length).toBeLessThanOrEqual(isChanged ? 1 : 0);
        if (ran.includes('end')) {
          await world.run('begin again');
          expect((await world.look()).updatesOf(1)).toHaveLength(isChanged ? 1 : 0);
        }
        const before = (await world.look()).updates;
        await world.run('same again');
        expect((await world.look()).updates).toBe(before);
      }
      // At its first step, at least one between, and after its last.
      expect(steps).toBeGreaterThanOrEqual(2);
    },
    timeoutMs,
  );
});
