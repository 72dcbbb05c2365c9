import { waitFor } from '@casewatch/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { created, rounds, senderAnswers, someCase, updatesOf, watch } from './support/case-events.ts';
import { served } from './support/government.ts';
import { startWorld, type World } from './support/world.ts';

/**
 * Few receipts are due here, and the rate is higher. Where more are due than may be asked, such receipts have no turn until the
 * sender plans anew after 20 s. Each test has receipts of its own. One test sets faults: there is one fault at a time.
 */

describe('watching receipts with a fixed interval, as after a failure', () => {
  let world: World;
  let last = 4_000_000_000;
  const newReceipt = () => `EAC${++last}`;

  beforeAll(async () => {
    world = await startWorld();
    await world.startMonitor({ USCIS_RATE_PER_SECOND: '150' });
    await senderAnswers(world);
  });
  afterEach(() => world.government.fault({ mode: 'none' }));
  afterAll(() => world.stop());

  it('sets a receipt to not_found after three 404 over the scaled 72 h, and back when it is seen', async () => {
    const receipt = newReceipt();
    await world.government.set(receipt, served('Case Was Received'));
    const { id } = await watch(world, receipt);
    await rounds(world, receipt, 1);
    await world.government.remove(receipt);
    const changesOf = () => world.changes.filter((change) => change.case.id === id);
    await waitFor(() => changesOf().length > 0, { timeoutMs: 60_000 });
    const refusals = (await world.government.ledger(receipt)).filter(({ status }) => status === 404);
    expect(refusals.length).toBeGreaterThanOrEqual(3);
    await world.government.set(receipt, served('Case Was Received'));
    await waitFor(() => changesOf().length > 1);
    expect(changesOf().map(({ state }) => state)).toEqual(['not_found', 'watched']);
    expect(updatesOf(world, { ...someCase(receipt), id })).toEqual([]);
  });

  it('stops watching a receipt that the government rejects', async () => {
    const receipt = `XXX${++last}`;
    const reference = someCase(receipt);
    await world.publish('case.created', created(reference, null, 'deferred'));
    const change = await waitFor(() => world.changes.find((row) => row.case.id === reference.id));
    expect(change).toMatchObject({ state: 'rejected', next_check_at: null });
    const refusals = await world.government.ledger(receipt);
    // 24 h are 1.7 s at the tests' scale.
    const apartMs = Date.parse(refusals.at(-1)?.time ?? '') - Date.parse(refusals[0]?.time ?? '');
    expect(refusals.length).toBeGreaterThanOrEqual(2);
    expect(apartMs).toBeGreaterThan(1_600);
  });

  it('tells the last state, however often the status went back and forth', async () => {
    const receipt = newReceipt();
    await world.government.set(receipt, served('Case Was Received'));
    const reference = await watch(world, receipt);
    const toldOf = () => updatesOf(world, reference).filter(({ skip_reason }) => skip_reason === null);
    for (const title of ['Case Was Approved', 'Case Was Received', 'Case Was Approved']) {
      await world.government.set(receipt, served(title));
      await waitFor(() => toldOf().at(-1)?.status_update.status_code === title);
    }
    const updates = updatesOf(world, reference).map(({ skip_reason, status_update }) => [
      status_update.kind,
      skip_reason,
    ]);
    // A return is stored at once. After its confirmation the same update is told.
    expect(updates).toEqual([
      ['status', null],
      ['flap', 'flap'],
      ['flap', null],
      ['flap', 'flap'],
      ['flap', null],
    ]);
    const observations = updatesOf(world, reference).map(({ status_update }) => status_update.observation);
    expect(observations).toEqual([2, 3, 3, 5, 5]);
    const [one, two, twoAgain, three, threeAgain] = updatesOf(world, reference).map(
      ({ status_update: { id, timestamp } }) => ({ id, timestamp }),
    );
    expect([twoAgain, threeAgain]).toEqual([two, three]);
    expect(new Set([one?.id, two?.id, three?.id]).size).toBe(3);
  });

  it('counts no failure of the government against a case', async () => {
    const receipt = newReceipt();
    await world.government.set(receipt, served('Case Was Received'));
    const reference = await watch(world, receipt);
    for (const mode of ['garbage', 'html', 'truncated']) {
      const failed = async () => (await world.government.ledger(receipt)).filter((row) => row.fault === mode);
      await world.government.fault({ mode, receipts: [receipt] });
      await waitFor(async () => (await failed()).length >= 1);
      await world.government.fault({ mode: 'none' });
      await rounds(world, receipt, 1);
    }
    expect(updatesOf(world, reference)).toEqual([]);
    const states = world.changes
      .filter((change) => change.case.id === reference.id)
      .map(({ state }) => state);
    // On a busy machine a check can become overdue in between; only after that the case is watched again.
    const overdue = world.overdue.filter((event) => event.case.id === reference.id);
    expect(states).toEqual(overdue.slice(0, states.length).map(() => 'watched'));
  });
});
