import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { senderAnswers, updatesOf, watch } from './support/case-events.ts';
import { served } from './support/government.ts';
import { startWorld, type World } from './support/world.ts';

const patience = { timeoutMs: 60_000 };

describe('changes that cannot be passed on', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
    await world.startMonitor();
    await senderAnswers(world, patience);
  });
  afterAll(() => world.stop());

  /** More than one read takes, before all others by their ids, and refused by the query for their cases. */
  async function addBroken(count: number): Promise<void> {
    const rows = Array.from({ length: count }, (_, i) => {
      const receipt_number = `AAA${String(i).padStart(10, '0')}`;
      const parts = { updates: null, monitoring: null, overdue: null };
      const progress = { receipt_number, revision: 1, at: new Date(), after_case_id: 'no number' };
      return { _id: `${receipt_number}:000000000001` as never, ...progress, ...parts };
    });
    await world.monitorDb.collection('fan_outs').insertMany(rows);
  }

  it('hide no other change, and are tried again', async () => {
    const receipt = 'EAC6100000001';
    await world.government.set(receipt, served('Case Was Received'));
    const reference = await watch(world, receipt);
    await waitFor(async () => (await world.stores.receipts.find(receipt))?.watchers === 1, patience);
    await addBroken(2_100);
    await world.government.set(receipt, served('Case Was Approved'));
    await waitFor(() => updatesOf(world, reference).length > 0, patience);
    expect(await world.monitorDb.collection('fan_outs').countDocuments()).toBe(2_100);
    await world.monitorDb.collection('fan_outs').updateMany({}, { $set: { after_case_id: 0 } });
    const waiting = () => world.monitorDb.collection('fan_outs').countDocuments();
    await waitFor(async () => (await waiting()) === 0, patience);
  });

  it('are kept apart from titles, of which no more than a thousand are kept', async () => {
    const { unknownTitles } = world.stores;
    const note = (title: string) => unknownTitles.note({ title, category: 'unknown', at: new Date() });
    for (let i = 0; i < 1_000; i++) await note(`Case Was Sent To Room ${i}`);
    await note('One Title More');
    await note('Case Was Sent To Room 7');
    const titles = await unknownTitles.list(2_000);
    expect(titles).toHaveLength(1_000);
    expect(titles[0]).toMatchObject({ _id: 'Case Was Sent To Room 7', count: 2 });
  });
});
