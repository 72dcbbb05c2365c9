import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import type { Receipt } from '../src/domain/receipt.ts';
import { check, created, senderAnswers, someCase } from './support/case-events.ts';
import { served } from './support/government.ts';
import { startWorld, type World } from './support/world.ts';

const patience = { timeoutMs: 120_000, intervalMs: 250 };
const minuteMs = 60_000;
/** Intervals as in production: nothing is due twice within a test. */
const settings = { MONITOR_INTERVAL_SCALE: '1', USCIS_RATE_PER_SECOND: '20' };
const imported = 250;
/** A request that loses its slot on a busy machine is sent some requests later. */
const slack = 5;

let last = 5_000_000_000;
const newReceipts = (count: number) => Array.from({ length: count }, () => `WAC${++last}`);

/** In the order of the first requests: one that failed on a busy machine is repeated. */
const distinct = (receipts: readonly string[]) => [...new Set(receipts)];

async function startIn(world: World) {
  const rows = () => world.monitorDb.collection<Receipt>('receipts');
  const counted = (receipts: readonly string[], filter: object) =>
    rows().countDocuments({ _id: { $in: [...receipts] }, ...filter });

  /** As a row of an import begins it. */
  async function watch(receipts: readonly string[]): Promise<void> {
    for (const receipt of receipts) {
      await world.government.set(receipt, served('Case Was Received'));
      await world.publish('case.created', created(someCase(receipt), null, 'deferred'));
    }
  }
  /** Cases of other people, whose status is known. */
  async function known(receipts: readonly string[]): Promise<void> {
    await watch(receipts);
    const areKnown = async () => (await counted(receipts, { facts: { $ne: null } })) === receipts.length;
    await waitFor(areKnown, { ...patience, what: 'the first checks of other people' });
  }
  async function importRows(receipts: readonly string[]): Promise<void> {
    await watch(receipts);
    const areStored = async () => (await counted(receipts, { bucket: 'deferred' })) === receipts.length;
    await waitFor(areStored, { ...patience, what: 'the receipts of the import' });
  }
  /** The next is due longer than the one before it. */
  async function makeDue(receipts: readonly string[]): Promise<void> {
    const hours = (i: number) => new Date(Date.now() - (200 + 10 * i) * minuteMs);
    await rows().bulkWrite(
      receipts.map((_id, i) => ({
        updateOne: { filter: { _id }, update: { $set: { checked_at: hours(i), last_checked: hours(i) } } },
      })),
    );
  }
  async function pause(): Promise<void> {
    await world.stores.control.setPaused(new Date());
    const isPaused = () =>
      check(world, 'EAC9999103403').then(
        () => false,
        (error: { code: string }) => error.code === 'uscis_unavailable',
      );
    await waitFor(isPaused, { ...patience, what: 'the pause' });
  }
  const asked = async () => (await world.government.ledger()).map(({ receipt }) => receipt);

  await world.startMonitor(settings);
  await senderAnswers(world, patience);
  return { known, makeDue, pause, asked, importRows };
}

/** By the order in the log of the government's stand-in: how fast the machine is does not matter. */
describe('the government’s pace during an import', () => {
  it('what is due is asked first, in the order that it has without an import, and then the import', async () => {
    await using world = await startWorld();
    const { known, makeDue, pause, asked, importRows } = await startIn(world);
    const due = newReceipts(30);
    const rows = newReceipts(imported);
    await known(due);
    const isOurs = (receipt: string) => due.includes(receipt) || rows.includes(receipt);
    /** What is asked after a pause in which `happens` happened. */
    const askedAfter = async (happens: () => Promise<void>, count: number) => {
      await pause();
      const before = (await asked()).length;
      await happens();
      await world.stores.control.setPaused(null);
      const isOver = async () => distinct((await asked()).slice(before).filter(isOurs)).length === count;
      await waitFor(isOver, { ...patience, what: 'the checks after the pause' });
      return distinct((await asked()).slice(before).filter(isOurs));
    };
    const without = await askedAfter(() => makeDue(due), due.length);
    // The one that is due longest comes first.
    for (const [i, receipt] of due.toReversed().entries())
      expect(Math.abs(without.indexOf(receipt) - i)).toBeLessThanOrEqual(slack);
    const during = await askedAfter(async () => {
      await importRows(rows);
      await makeDue(due);
    }, due.length + imported);
    for (const receipt of due)
      expect(during.indexOf(receipt)).toBeLessThanOrEqual(without.indexOf(receipt) + slack);
    expect(distinct(during).toSorted()).toEqual([...due, ...rows]);
  }, 400_000);

  it('what becomes due in the middle of an import does not wait for its end', async () => {
    await using world = await startWorld();
    const { known, makeDue, pause, asked, importRows } = await startIn(world);
    const due = newReceipts(6);
    const rows = newReceipts(imported);
    await known(due);
    await pause();
    await importRows(rows);
    await world.stores.control.setPaused(null);
    const isImported = (receipt: string) => rows.includes(receipt);
    await waitFor(async () => (await asked()).some(isImported), { ...patience, intervalMs: 20 });
    const before = (await asked()).length;
    await makeDue(due);
    const isOver = async () => distinct((await asked()).filter(isImported)).length === imported;
    await waitFor(isOver, { ...patience, what: 'the first checks of the import' });
    const order = distinct((await asked()).slice(before));
    const end = Math.max(...due.map((receipt) => order.indexOf(receipt)));
    expect(due.every((receipt) => order.includes(receipt))).toBe(true);
    // The reader finds them with its next search, within seconds. At this rate the import has more than ten.
    expect(order.slice(end).filter(isImported).length).toBeGreaterThan(imported / 5);
  }, 400_000);
});
