import { waitFor } from '@casewatch/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { runAdmin } from '../src/admin/run-admin.ts';
import { retryOnConflict } from '../src/changes/change-receipt.ts';
import { check, senderAnswers, updatesOf, watch } from './support/case-events.ts';
import { served } from './support/government.ts';
import { startWorld, type World } from './support/world.ts';

const patience = { timeoutMs: 30_000 };

/** What USCIS, or something before it, can answer that is not true of the receipt. */
describe('untrue answers', () => {
  let world: World;
  let last = 8_000_000_000;
  const newReceipt = () => `SRC${++last}`;

  beforeAll(async () => {
    world = await startIn(await startWorld());
  });
  afterEach(() => world.government.fault({ mode: 'none' }));
  afterAll(() => world.stop());

  async function startIn(started: World): Promise<World> {
    await started.startMonitor();
    await senderAnswers(started, patience);
    return started;
  }
  const admin = async (world: World, ...args: string[]) => {
    const out: string[] = [];
    const io = { out: (line: string) => out.push(line), err: () => undefined };
    await runAdmin(['monitor', ...args, '--json'], world.environment(), io);
    return JSON.parse(out.join('\n')) as Record<string, unknown>;
  };

  it.each(['other_receipt', 'gateway_404', 'placeholder', 'touched', 'blinking_history'])(
    'notify no one: %s',
    async (mode) => {
      const receipt = newReceipt();
      const history = [{ date: '2026-01-02', text_en: 'Fees Were Waived' }];
      await world.government.set(receipt, { ...served('Case Was Received'), history });
      const reference = await watch(world, receipt);
      const before = await waitFor(async () => {
        const found = await world.stores.receipts.find(receipt);
        return found?.watchers === 1 && found.facts ? found : null;
      });
      await world.government.fault({ mode, receipts: [receipt] });
      const seen = async () =>
        (await world.government.ledger(receipt)).filter((row) => row.fault === mode).length;
      await waitFor(async () => (await seen()) >= 2, patience);
      await world.government.fault({ mode: 'none' });
      const count = (await world.government.ledger(receipt)).length;
      await waitFor(async () => (await world.government.ledger(receipt)).length >= count + 2, patience);
      const after = await world.stores.receipts.find(receipt);
      expect(after).toMatchObject({ state: 'watched', not_found: null });
      expect(after?.facts?.status_code).toBe(before.facts?.status_code);
      expect(updatesOf(world, reference).filter(({ skip_reason }) => skip_reason === null)).toEqual([]);
      // On a busy machine the case may have been overdue; after that it is watched again.
      const states = world.changes
        .filter((change) => change.case.id === reference.id)
        .map(({ state }) => state);
      expect(states.filter((state) => state !== 'watched')).toEqual([]);
    },
  );

  // The last three wait, at the same time. There is one fault at a time, so two have worlds of their own.

  it('are held where many receipts change in the same way, until an operator decides', async () => {
    await using own = await startWorld();
    const world = await startIn(own);
    const [one, other] = [newReceipt(), newReceipt()];
    for (const receipt of [one, other]) await world.government.set(receipt, served('Case Was Received'));
    const cases = [await watch(world, one), await watch(world, other)] as const;
    const held = () => world.stores.receipts.countHeld();
    // A brake that is on: a sender that finds held changes begins with it.
    const stored = await waitFor(async () => {
      const found = await world.stores.receipts.find(one);
      return found?.watchers === 1 && found.facts ? found : null;
    });
    const told = { content_hash: 'of another day', status_code: 'Case Was Received' };
    await retryOnConflict(async () => {
      const row = await world.stores.receipts.find(one);
      if (!row) throw new Error('the receipt is not watched');
      const held = { at: new Date(), told };
      await world.stores.receipts.write(row, { ...row, held, revision: row.revision + 1 });
    });
    expect(stored.held ?? null).toBeNull();
    await world.restartMonitors();
    await world.government.fault({ mode: 'boilerplate', message: 'Wait longer.', receipts: [other] });
    await waitFor(() => updatesOf(world, cases[1]).length > 0, patience);
    expect(updatesOf(world, cases[1])).toMatchObject([
      { skip_reason: 'no_content_change', skip_detail: 'held', status_update: { kind: 'details' } },
    ]);
    expect(await admin(world, 'status')).toMatchObject({ held_receipts: 2 });
    expect(await admin(world, 'release')).toEqual({ receipts: 2 });
    await waitFor(() => updatesOf(world, cases[1]).length > 1, patience);
    expect(updatesOf(world, cases[1])[1]).toMatchObject({
      skip_reason: null,
      status_update: { kind: 'details', status_description: 'Case Was Received. Wait longer.' },
    });
    // The first one shows what its user knows.
    expect(updatesOf(world, cases[0])).toEqual([]);
    expect(await held()).toBe(0);
    expect(await admin(world, 'drop-held')).toEqual({ receipts: 0 });
  });

  it('are told to callers and operators in the words of USCIS', async () => {
    await using own = await startWorld();
    const world = await startIn(own);
    const receipt = newReceipt();
    await world.government.fault({
      mode: 'status',
      status: 503,
      message: 'Closed for repair.',
      receipts: [receipt],
    });
    await expect(check(world, receipt)).rejects.toMatchObject({
      code: 'uscis_unavailable',
      message: expect.stringContaining('USCIS says: Closed for repair.'),
    });
    const said = await waitFor(async () => {
      const { refusals } = await admin(world, 'status');
      return (refusals as Record<string, unknown>).closed && refusals;
    }, patience);
    expect(said).toMatchObject({ closed: { message: 'Closed for repair.', at: expect.any(String) } });
  });

  it('stop the sending where many receipts that were seen before are unknown or rejected', async () => {
    const receipts = Array.from({ length: 14 }, newReceipt);
    for (const receipt of receipts) await world.government.set(receipt, served('Case Was Received'));
    await Promise.all(receipts.map((receipt) => watch(world, receipt)));
    const states = async () =>
      await Promise.all(receipts.map((receipt) => world.stores.receipts.find(receipt)));
    await waitFor(async () => (await states()).every((row) => row?.watchers === 1 && row.facts), patience);
    await world.government.fault({ mode: 'status', status: 404 });
    await waitFor(async () => (await world.stores.control.read()).health?.breaker === 'open', patience);
    const lost = (await states()).filter((row) => row?.not_found);
    expect(lost.length).toBeLessThanOrEqual(10);
    expect((await states()).every((row) => row?.state === 'watched')).toBe(true);
  });
});
