import { EventEmitter } from 'node:events';
import { systemClock } from '@casewatch/platform';
import { createIds, createOutbox, outboxModel, prepareModels } from '@casewatch/platform/database';
import { connectDatabase, startMongo, type TestMongo } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { beginWatch } from '../../src/changes/begin-watch.ts';
import type { ChangeContext } from '../../src/changes/change-receipt.ts';
import { decideHeld } from '../../src/changes/decide-held.ts';
import { endWatch } from '../../src/changes/end-watch.ts';
import { fanOutBatch } from '../../src/changes/fan-out.ts';
import { recordAnswer } from '../../src/changes/record-answer.ts';
import type { FanOut } from '../../src/domain/fan-out.ts';
import type { Watch } from '../../src/domain/receipt.ts';
import { createStores } from '../../src/store/stores.ts';
import { at, params, refused, seen } from '../support/answers.ts';
import { passOnAll } from '../support/pass-on-all.ts';

/** 100,000 by hand: FAN_OUT_CASES=100000. */
const caseCount = Number(process.env.FAN_OUT_CASES ?? 2_200);
const casesPerInsert = 10_000;
const received = 'Case Was Received';

describe('a receipt of many cases', () => {
  let mongo: TestMongo;
  let ctx: ChangeContext;
  let lastReceipt = 7_100_000_000;

  beforeAll(async () => {
    mongo = await startMongo();
    const db = await connectDatabase(mongo.url('monitor'));
    const stores = createStores(db);
    await prepareModels(db);
    await outboxModel(db).createCollection();
    ctx = {
      db,
      ids: createIds(db),
      outbox: createOutbox('monitor', db, () => at(0)),
      stores,
      signals: new EventEmitter(),
      planner: params,
    };
  });
  afterAll(async () => {
    await ctx.db.close();
    await mongo.stop();
  });

  const caseOf = (id: number, receipt_number: string) => ({
    id,
    user_case_id: 'FLOW0000001',
    receipt_number,
    user_id: 1,
    partner_id: 1,
  });

  /** A receipt that is received and watched by so many cases: the first one by an event, the others like it. */
  async function watched(count: number): Promise<{ receipt: string; first: number }> {
    const receipt = `EAC${++lastReceipt}`;
    const first = lastReceipt * 1_000_000;
    await beginWatch(ctx, {
      case: caseOf(first, receipt),
      version: 1,
      first_check: 'deferred',
      baseline: null,
      at: at(0),
    });
    await recordAnswer(ctx, receipt, seen('Case Was Received'));
    await passOnAll(ctx);
    const template = await ctx.stores.watches.find(first);
    const watches = ctx.db.collection<Watch>('watches');
    for (let start = 1; template && start < count; start += casesPerInsert) {
      const ids = Array.from(
        { length: Math.min(casesPerInsert, count - start) },
        (_, i) => first + start + i,
      );
      await watches.insertMany(ids.map((_id) => ({ ...template, _id, case: caseOf(_id, receipt) })));
    }
    // Each case has got its own baseline.
    await watches.updateMany({ receipt_number: receipt }, [{ $set: { 'last_update.id': '$_id' } }]);
    await outboxModel(ctx.db).deleteMany({});
    return { receipt, first };
  }

  async function told(): Promise<{ id: number; updateId: number; observation: number; reason: unknown }[]> {
    const rows = await outboxModel(ctx.db).find({ type: 'status.updated' }).sort({ _id: 1 }).lean();
    return rows.map(({ body }) => {
      const { data } = JSON.parse(body);
      const { id: updateId, observation } = data.status_update;
      return { id: data.case.id, updateId, observation, reason: data.skip_detail ?? data.skip_reason };
    });
  }

  it('brings a change to each case once, 500 in a transaction, also after a death in between', async () => {
    const { receipt } = await watched(caseCount);
    const startedMs = performance.now();
    await recordAnswer(ctx, receipt, seen('Case Was Approved', { hours: 1 }));
    const recordedMs = performance.now() - startedMs;
    // Another sender continues where the first one ended.
    const [row] = await ctx.stores.fanOuts.findAfter('', 1);
    const rest = await fanOutBatch(ctx, row as FanOut);
    expect(rest?.after_case_id).toBeGreaterThan(0);
    await expect(fanOutBatch(ctx, row as FanOut)).rejects.toThrow('fan-out');
    const batches = 1 + (await passOnAll(ctx));
    const passedOnMs = performance.now() - startedMs;
    if (process.env.FAN_OUT_CASES)
      process.stderr.write(
        `${caseCount} cases: recorded in ${Math.round(recordedMs)} ms, passed on in ${Math.round(passedOnMs)} ms, ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB\n`,
      );
    expect(batches).toBe(Math.floor(caseCount / 500) + 1);
    const updates = await outboxModel(ctx.db).countDocuments({ type: 'status.updated' });
    expect(updates).toBe(caseCount);
    if (caseCount > 10_000) return;
    const rows = await told();
    expect(new Set(rows.map(({ id }) => id)).size).toBe(caseCount);
    expect(new Set(rows.map(({ updateId }) => updateId)).size).toBe(caseCount);
  }, 900_000);

  it('brings two changes in their order, though the first one waits', async () => {
    const { receipt, first } = await watched(2);
    await recordAnswer(ctx, receipt, seen('Interview Was Scheduled', { hours: 1 }));
    await recordAnswer(ctx, receipt, seen('Case Was Approved', { hours: 2 }));
    await passOnAll(ctx);
    const ofFirst = (await told()).filter(({ id }) => id === first);
    expect(ofFirst.map(({ observation, reason }) => [observation, reason])).toEqual([
      [2, null],
      [3, null],
    ]);
  });

  type Touched = { touched_at: string; updates: { case_id: number; status_update_id: number }[] };
  async function touched(): Promise<Touched[]> {
    const rows = await outboxModel(ctx.db).find({ type: 'status.touched' }).sort({ _id: 1 }).lean();
    return rows.map(({ body }) => JSON.parse(body).data);
  }

  it('that USCIS touched brings one event for 500 cases, and no update', async () => {
    const { receipt } = await watched(1_200);
    await recordAnswer(ctx, receipt, seen(received, { hours: 1, modified: '11-21-2026 12:30:00' }));
    await passOnAll(ctx);
    const events = await touched();
    expect(events.map(({ updates }) => updates.length)).toEqual([500, 500, 200]);
    expect(new Set(events.map(({ touched_at }) => touched_at))).toEqual(
      new Set(['2026-11-21T12:30:00.000Z']),
    );
    expect(new Set(events.flatMap(({ updates }) => updates.map(({ case_id }) => case_id))).size).toBe(1_200);
    expect(await told()).toEqual([]);
    // The same answer again is nothing.
    await recordAnswer(ctx, receipt, seen(received, { hours: 2, modified: '11-21-2026 12:30:00' }));
    expect(await passOnAll(ctx)).toBe(0);
  });

  it('that USCIS touched between changes: each touch names the update that it followed', async () => {
    const { receipt, first } = await watched(2);
    const approved = (hours: number, day: number) =>
      seen('Case Was Approved', { hours, modified: `11-${day}-2026 10:00:00` });
    await recordAnswer(ctx, receipt, approved(24, 21));
    await recordAnswer(ctx, receipt, approved(48, 23));
    const ended = { case: caseOf(first + 1, receipt), version: 2, isDeleted: false, at: at(49) };
    await endWatch(ctx, ended);
    await recordAnswer(ctx, receipt, seen('Case Was Denied', { hours: 72, modified: '11-24-2026 10:00:00' }));
    await passOnAll(ctx);
    const [update] = (await told()).filter(({ id }) => id === first);
    expect(await touched()).toEqual([
      {
        touched_at: '2026-11-23T10:00:00.000Z',
        // The other case ended before its touch was passed on.
        updates: [{ case_id: first, status_update_id: update?.updateId }],
      },
    ]);
  });

  it('that came back within a day is told by the event of the update that was stored then', async () => {
    const { receipt, first } = await watched(2);
    for (const [title, hours] of [
      ['Case Was Approved', 24],
      [received, 26],
      [received, 27],
      [received, 29],
    ] as const)
      await recordAnswer(ctx, receipt, seen(title, { hours }));
    await passOnAll(ctx);
    const ofFirst = (await told()).filter(({ id }) => id === first);
    expect(ofFirst.map(({ observation, reason }) => [observation, reason])).toEqual([
      [2, null],
      [3, 'flap'],
      [3, null],
    ]);
    expect(ofFirst[2]?.updateId).toBe(ofFirst[1]?.updateId);
  });

  it('gives the update to a case that was deactivated since, without notifying its user', async () => {
    const { receipt, first } = await watched(2);
    await recordAnswer(ctx, receipt, seen('Case Was Approved', { hours: 1 }));
    const ended = { case: caseOf(first, receipt), version: 2, isDeleted: false, at: at(1) };
    await endWatch(ctx, ended);
    await passOnAll(ctx);
    expect((await told()).map(({ id, reason }) => [id - first, reason])).toEqual([
      [0, 'case_inactive'],
      [1, null],
    ]);
    await recordAnswer(ctx, receipt, seen('Case Was Denied', { hours: 30 }));
    await passOnAll(ctx);
    expect((await told()).filter(({ id }) => id === first)).toHaveLength(1);
  });

  describe('a receipt that was forgotten and watched again', () => {
    const revisions = 11;
    let lastCase = 900_000;

    const begin = (id: number, receipt: string, version = 1) =>
      beginWatch(ctx, {
        case: caseOf(id, receipt),
        version,
        first_check: version === 1 ? 'deferred' : null,
        baseline: null,
        at: at(0),
      });
    const end = (id: number, receipt: string, version = 2, isDeleted = false) =>
      endWatch(ctx, { case: caseOf(id, receipt), version, isDeleted, at: at(1) });
    /** As the index `expiry` does, a day after the last watch ended. */
    const forget = async (receipt: string) =>
      void (await ctx.db.collection('receipts').deleteOne({ _id: receipt as never }));

    /** A case that saw one state, and whose receipt changed its watchers often. */
    async function followed(): Promise<{ receipt: string; first: number }> {
      const receipt = `EAC${++lastReceipt}`;
      const first = ++lastCase;
      await begin(first, receipt);
      await recordAnswer(ctx, receipt, seen('Case Was Received'));
      await passOnAll(ctx);
      const others = Array.from({ length: revisions }, () => ++lastCase);
      for (const id of others) await begin(id, receipt);
      for (const id of others) await end(id, receipt, 2, true);
      await outboxModel(ctx.db).deleteMany({});
      return { receipt, first };
    }

    const changesOf = async (receipt: string, from: number) => {
      const titles = ['Interview Was Scheduled', 'Case Was Approved', 'Card Was Mailed To Me'];
      for (const [i, title] of titles.entries())
        await recordAnswer(ctx, receipt, seen(title, { hours: from + i * 30 }));
      await passOnAll(ctx);
    };
    const toldTo = async (id: number) => (await told()).filter((row) => row.id === id);

    it('tells a case that was paused before none of its changes', async () => {
      const { receipt, first } = await followed();
      await end(first, receipt);
      await forget(receipt);
      const second = ++lastCase;
      await begin(second, receipt);
      await recordAnswer(ctx, receipt, seen('Case Was Received', { hours: 40 }));
      await changesOf(receipt, 50);
      expect(await toldTo(second)).toHaveLength(4);
      expect(await toldTo(first)).toEqual([]);
    });

    it('tells it none either where a live check stored the receipt before the new watch', async () => {
      const { receipt, first } = await followed();
      await end(first, receipt);
      await forget(receipt);
      await recordAnswer(ctx, receipt, seen('Case Was Received', { hours: 40 }));
      const second = ++lastCase;
      await begin(second, receipt);
      await changesOf(receipt, 50);
      expect(await toldTo(first)).toEqual([]);
    });

    it('tells a case that is resumed each later change once', async () => {
      const { receipt, first } = await followed();
      await end(first, receipt);
      await forget(receipt);
      await begin(first, receipt, 3);
      await recordAnswer(ctx, receipt, seen('Case Was Received', { hours: 40 }));
      await changesOf(receipt, 50);
      expect((await toldTo(first)).map(({ observation }) => observation)).toEqual([2, 3, 4]);
    });

    it('tells a new case no change that was recorded before, and waited', async () => {
      const { receipt, first } = await followed();
      await recordAnswer(ctx, receipt, seen('Case Was Approved', { hours: 20 }));
      await end(first, receipt);
      await forget(receipt);
      const second = ++lastCase;
      await begin(second, receipt);
      await passOnAll(ctx);
      expect(await toldTo(second)).toEqual([]);
      expect((await toldTo(first)).map(({ reason }) => reason)).toEqual(['case_inactive']);
    });

    it('tells a new case no change of a receipt whose last case was deleted', async () => {
      const { receipt, first } = await followed();
      await recordAnswer(ctx, receipt, seen('Case Was Approved', { hours: 20 }));
      await end(first, receipt, 2, true);
      expect(await ctx.stores.receipts.find(receipt)).toBeNull();
      const second = ++lastCase;
      await begin(second, receipt);
      await passOnAll(ctx);
      expect(await told()).toEqual([]);
    });
  });

  it('tells all cases that the receipt is unknown, and then its first state', async () => {
    const { receipt } = await watched(2);
    for (const hours of [1, 40, 80]) await recordAnswer(ctx, receipt, refused('not_found', hours));
    await passOnAll(ctx);
    const changes = await outboxModel(ctx.db).find({ type: 'status.monitoring_changed' }).lean();
    expect(changes.map(({ body }) => JSON.parse(body).data.state)).toEqual(['not_found', 'not_found']);
  });

  it('is decided by the operator although it changes at the same moment', async () => {
    const { receipt } = await watched(1);
    const { receipts } = ctx.stores;
    const stored = await receipts.find(receipt);
    if (!stored) throw new Error('the receipt is not stored');
    const told = { content_hash: 'of another day', status_code: 'Case Was Received' };
    await receipts.write(stored, { ...stored, held: { at: at(0), told }, revision: stored.revision + 1 });
    let reads = 0;
    const find: typeof receipts.find = async (number) => {
      const found = await receipts.find(number);
      if (found && ++reads === 1) await receipts.write(found, { ...found, revision: found.revision + 1 });
      return found;
    };
    const stores = { ...ctx.stores, receipts: { ...receipts, find } };
    expect(await decideHeld({ db: ctx.db, stores, clock: systemClock }, 'release')).toBe(1);
    expect(await receipts.countHeld()).toBe(0);
    expect(await passOnAll(ctx)).toBe(1);
  });
});
