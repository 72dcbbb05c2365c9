import type { AuditRecord } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runAdmin } from '../../src/admin/run-admin.ts';
import { check, created, senderAnswers, someCase } from '../support/case-events.ts';
import { served } from '../support/government.ts';
import { startWorld, type World } from '../support/world.ts';

const receipt = 'EAC9999103403';
const patiently = { timeoutMs: 30_000 };

describe('npm run admin -- monitor', () => {
  let world: World;
  // Intervals as designed: nothing is looked at again by itself.
  const settings = { MONITOR_INTERVAL_SCALE: '1', USCIS_DAILY_BUDGET: '1000000' };

  beforeAll(async () => {
    world = await startWorld();
    await world.startMonitor(settings);
    await senderAnswers(world, patiently, receipt);
  });
  afterAll(() => world.stop());

  const admin = (...args: string[]) => adminIn(world, args);

  async function adminIn(where: World, args: string[]): Promise<{ code: number; out: string; err: string }> {
    const lines = { out: [] as string[], err: [] as string[] };
    const code = await runAdmin(['monitor', ...args], where.environment(settings), {
      out: (line) => lines.out.push(line),
      err: (line) => lines.err.push(line),
    });
    return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
  }
  const json = async (...args: string[]) => {
    const { code, out, err } = await admin(...args, '--json');
    expect({ code, err }).toEqual({ code: 0, err: expect.any(String) });
    return JSON.parse(out) as Record<string, unknown>;
  };

  async function watched(number: string): Promise<void> {
    await world.government.set(number, served('Case Was Received'));
    await world.publish('case.created', created(someCase(number), null, 'deferred'));
  }

  async function watchedReceipt(number: string): Promise<void> {
    await watched(number);
    await waitFor(async () => (await world.government.ledger(number)).length === 1, patiently);
    await waitFor(async () => ((await world.stores.receipts.find(number))?.observation ?? 0) > 0, patiently);
  }

  /** As after the second 422, a day later. */
  async function reject(number: string): Promise<void> {
    const row = await world.stores.receipts.find(number);
    const next = { state: 'rejected', next_check_at: null } as const;
    if (!row) throw new Error('the receipt is not watched');
    await world.stores.receipts.write(row, { ...row, ...next, revision: row.revision + 1 });
  }

  it('status shows how all stands, to programs and to people', async () => {
    const said = await waitFor(async () => {
      const found = await json('status');
      return found.upstream === 'open' && found.capacity !== null && found;
    }, patiently);
    expect(said).toMatchObject({
      sending: true,
      paused: false,
      health: { breaker: 'closed', pace: 1 },
      quota: { interactive: { used: 50 }, background: { used: expect.any(Number) } },
      daily_budget: 1_000_000,
      overdue_receipts: 0,
      capacity: { stretch: 1, room: expect.any(Number) },
      planned_interval: null,
    });
    // The sender writes it with its heartbeat.
    await waitFor(async () => (await world.stores.control.read()).answered_at !== null, patiently);
    const { out } = await admin('status');
    expect(out).toMatch(/USCIS +open, as of/);
    expect(out).toMatch(/receipts +\d+ watched, 0 overdue, room for \d+ more/);
    expect(out).toMatch(/interactive 50 used, up to 299950 left/);
  });

  it('status says so while USCIS has never answered', async () => {
    const fresh = await startWorld();
    const { out } = await adminIn(fresh, ['status']);
    expect(out).toMatch(/USCIS +\w+, has not answered yet, as of/);
    await fresh.stop();
  });

  it('pause stops every request within seconds, and resume lets them go on', async () => {
    await json('pause');
    const code = () =>
      check(world, receipt).then(
        () => 'answered',
        (error: { code: string }) => error.code,
      );
    await waitFor(async () => (await code()) === 'uscis_unavailable', patiently);
    expect(await json('status')).toMatchObject({ paused: true });
    expect(await json('resume')).toEqual({ paused_at: null });
    await waitFor(async () => (await code()) === 'answered', patiently);
  });

  it('recheck has one receipt looked at again, a rejected one too, or all of them', async () => {
    const [one, other, refused] = ['EAC5000000001', 'EAC5000000002', 'XXX5000000001'] as const;
    const find = (number: string) => world.stores.receipts.find(number);
    const asked = async (number: string) => (await world.government.ledger(number)).length;
    // The sender looks for due receipts every 2 s: it finds all of a step at one look.
    await world.publish('case.created', created(someCase(refused), null, 'deferred'));
    await Promise.all([watchedReceipt(one), watchedReceipt(other)]);
    await waitFor(async () => !!(await find(refused))?.rejections, patiently);
    await reject(refused);
    expect(await json('recheck', '--receipt', 'eac-50000-00001')).toEqual({ receipts: 1 });
    expect(await json('recheck', '--receipt', refused)).toEqual({ receipts: 1 });
    for (const number of [one, refused]) await waitFor(async () => (await asked(number)) === 2, patiently);
    await waitFor(async () => (await find(refused))?.bucket === null, patiently);
    await waitFor(async () => (await find(one))?.bucket !== 'first', patiently);
    expect((await admin('recheck', '--receipt', 'EAC5999999999')).err).toMatch(/No case watches/);
    // Both, and the rejected one.
    expect(await json('recheck', '--all')).toEqual({ receipts: 3 });
    // A check that fails on a busy machine is repeated after a minute.
    const repeated = { timeoutMs: 90_000 };
    await waitFor(async () => (await asked(other)) >= 2, repeated);
    await waitFor(async () => (await asked(refused)) >= 3, repeated);
  });

  it('probe asks USCIS immediately, which would otherwise be asked in a quarter of an hour', async () => {
    const answer = () => admin('probe', '--json').then(({ code, out, err }) => ({ code, said: out || err }));
    expect(await answer()).toEqual({ code: 0, said: '{"asked":false}' });
    await world.government.limits({ daily_quota: 0 });
    await watched('EAC5100000001');
    const quota = async () => (await json('status')).health as { quota_spent: boolean; breaker: string };
    await waitFor(async () => (await quota()).quota_spent, patiently);
    expect((await admin('status')).out).toMatch(
      /breaker +open: USCIS says that our quota is spent, next probe/,
    );
    await world.government.limits({ daily_quota: 1_000_000 });
    expect(await answer()).toEqual({ code: 0, said: '{"asked":true}' });
    await waitFor(async () => (await quota()).breaker === 'closed', patiently);
    expect(await quota()).toMatchObject({ quota_spent: false });
    await json('pause');
    expect(await answer()).toEqual({ code: 1, said: expect.stringContaining('monitor resume') });
    await json('resume');
  });

  it('share gives a partner a number of its own, and takes it back', async () => {
    expect(await json('share', '--partner', '7', '--per-day', '3')).toMatchObject({ live_checks_per_day: 3 });
    expect(await world.stores.callerShares.limitOf(7)).toBe(3);
    expect(await json('share', '--partner', '7', '--per-day', 'default')).toMatchObject({
      live_checks_per_day: 50_000,
    });
    expect(await world.stores.callerShares.limitOf(7)).toBeNull();
    // Each is recorded for the partner, which may ask why its limit changed.
    const rows = await world.monitorDb.collection('outbox').find({ type: 'monitor.audited' }).toArray();
    const records = rows.flatMap(({ body }) => JSON.parse(String(body)).data.records as AuditRecord[]);
    const record = {
      actor: { kind: 'operator', id: null },
      operation: 'admin share',
      partner_id: 7,
      objects: [{ kind: 'partner', id: '7' }],
    };
    expect(records).toMatchObject([record, record]);
  });

  it('says the right form where it is called wrongly', async () => {
    expect(await admin('explode')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/monitor recheck/),
    });
    expect(await admin('recheck')).toMatchObject({ code: 2, err: expect.stringMatching(/--receipt/) });
    expect(await admin('share', '--partner', 'x')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/partner/),
    });
    expect(await admin('pause', '--now')).toMatchObject({ code: 2 });
  });
});
