import type { EventData } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { check, created, senderAnswers, someCase, updatesOf, watch } from './support/case-events.ts';
import { served } from './support/government.ts';
import { startWorld, type World } from './support/world.ts';

const patience = { timeoutMs: 60_000 };

describe('what lags and what is unknown', () => {
  let world: World;
  let last = 6_000_000_000;
  const newReceipt = () => `LIN${++last}`;

  beforeAll(async () => {
    world = await startWorld();
    await world.startMonitor();
    await senderAnswers(world, patience);
  });
  afterEach(() => world.government.fault({ mode: 'none' }));
  afterAll(() => world.stop());

  const overdueOf = (id: number): EventData<'status.check_overdue'>[] =>
    world.overdue.filter((event) => event.case.id === id);

  it('calls a case overdue once that fails for too long, and says when it is checked again', async () => {
    const receipt = newReceipt();
    await world.government.set(receipt, served('Case Was Received'));
    const { id } = await watch(world, receipt);
    await waitFor(async () => (await world.stores.receipts.find(receipt))?.watchers === 1, patience);
    await world.government.fault({ mode: 'garbage', receipts: [receipt] });
    // 48 h are 3.5 s at the tests' scale.
    await waitFor(() => overdueOf(id).length > 0, patience);
    const { length } = await world.government.ledger(receipt);
    await waitFor(async () => (await world.government.ledger(receipt)).length >= length + 2, patience);
    expect(overdueOf(id)).toMatchObject([
      { case: { id, receipt_number: receipt }, last_checked: expect.any(String), since: expect.any(String) },
    ]);
    await world.government.fault({ mode: 'none' });
    const change = await waitFor(() => world.changes.find((event) => event.case.id === id), patience);
    expect(change.state).toBe('watched');
    expect((await world.stores.receipts.find(receipt))?.overdue_since).toBeNull();
    expect(updatesOf(world, { ...someCase(receipt), id })).toEqual([]);
  });

  it('counts a title that the table does not know, word for word, once per receipt that comes to show it', async () => {
    const title = 'Case Was Sent To The Moon';
    const [one, other] = [newReceipt(), newReceipt()];
    for (const receipt of [one, other]) {
      await world.government.set(receipt, served('Case Was Received'));
      const reference = await watch(world, receipt);
      await world.government.set(receipt, served(title));
      await waitFor(() => updatesOf(world, reference).length > 0, patience);
      expect(updatesOf(world, reference)).toMatchObject([
        {
          skip_reason: null,
          status_update: { status_code: title, status_slug: 'unknown', category: 'unknown' },
        },
      ]);
    }
    await waitFor(async () => (await world.stores.unknownTitles.list(5))[0]?.count === 2, patience);
    expect(await world.stores.unknownTitles.list(5)).toMatchObject([{ _id: title, category: 'unknown' }]);
  });

  it('counts the watched receipts by bucket, and says how old what it knows is, without being asked', async () => {
    const receipt = newReceipt();
    await world.government.set(receipt, served('Card Was Mailed To Me'));
    await watch(world, receipt);
    const census = await waitFor(async () => {
      const found = await world.stores.scheduleStats.read();
      return found?.ages && found.buckets.some(({ bucket }) => bucket === 'rate-20') ? found : null;
    }, patience);
    expect(census.ages?.p95).toBeGreaterThanOrEqual(census.ages?.p50 ?? Infinity);
    expect(census.buckets.map(({ bucket }) => bucket)).not.toContain('rate-23');
  });

  it('keeps no words of a receipt that was erased during a live check', async () => {
    const receipt = newReceipt();
    await world.government.set(receipt, served('Case Was Received'));
    const reference = await watch(world, receipt);
    await waitFor(async () => (await world.stores.receipts.find(receipt))?.watchers === 1, patience);
    await world.government.fault({ mode: 'slow', delay_ms: 2_000, receipts: [receipt] });
    const before = (await world.government.ledger(receipt)).length;
    const live = check(world, receipt).catch(() => null);
    await waitFor(async () => (await world.government.ledger(receipt)).length > before, patience);
    await world.publish('case.deleted', { case: reference, version: 5 });
    await waitFor(async () => (await world.stores.receipts.find(receipt)) === null, patience);
    await live;
    expect(await world.stores.receipts.find(receipt)).toBeNull();
  });

  it('stops looking at a receipt whose watch ended while it was being checked', async () => {
    const receipt = newReceipt();
    const reference = someCase(receipt);
    await world.government.set(receipt, served('Case Was Received'));
    await world.government.fault({ mode: 'slow', delay_ms: 1_000, receipts: [receipt] });
    await world.publish('case.created', created(reference, null, 'deferred'));
    await waitFor(async () => (await world.government.ledger(receipt)).length > 0, patience);
    const off = {
      case: reference,
      watched: false,
      active: false,
      version: 2,
      assignee_id: null,
      respond_by: null,
    };
    await world.publish('case.updated', off);
    await waitFor(async () => (await world.stores.receipts.find(receipt))?.watchers === 0, patience);
    await waitFor(async () => (await world.stores.receipts.find(receipt))?.last_checked, patience);
    expect(await world.stores.receipts.find(receipt)).toMatchObject({
      bucket: null,
      checked_at: null,
    });
  });
});
