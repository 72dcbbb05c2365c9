import { ApiError, connectMongo, createIds, createOutbox, outboxModel } from '@casewatch/platform';
import { startMongo, waitFor } from '@casewatch/testing';
import type { Answer } from '../../src/domain/decide-answer.ts';
import { hashesOf } from '../../src/domain/hashes.ts';
import { parseCaseStatus } from '../../src/domain/parse-case-status.ts';
import type { Receipt, Watch } from '../../src/domain/receipt.ts';
import { unstretched } from '../../src/domain/stretch.ts';
import { beginWatch } from '../../src/store/begin-watch.ts';
import { endWatch } from '../../src/store/end-watch.ts';
import type { DueReceipt } from '../../src/store/receipts.ts';
import { recordAnswer } from '../../src/store/record-answer.ts';
import { createStores, type StoreContext } from '../../src/store/stores.ts';

const receiptNumber = 'EAC7000000001';
const at = new Date('2026-11-21T12:00:00.000Z');
const reference = (id: number) => ({
  id,
  user_case_id: `FLOW000000${id}`,
  receipt_number: receiptNumber,
  user_id: 1,
  partner_id: 1,
});

function seen(title: string, sent: number): Answer & { kind: 'seen' } {
  const parsed = parseCaseStatus({ current_case_status_text_en: title });
  if (!parsed) throw new Error('no title');
  return { kind: 'seen', sent, checkedAt: at, seen: parsed, hashes: hashesOf(parsed) };
}

type Told = { status_code: string; observation: number; skip_reason: string | null };

/** What the world holds when all is done. */
type View = { receipt: Receipt | null; watches: Watch[]; updates: number; updatesOf(caseId: number): Told[] };

/** Called before each step of a procedure. */
type Gate = () => Promise<void>;

/** The procedures that change a receipt, against a real database, each of whose steps can be held up. */
export async function startInterleaved() {
  const mongo = await startMongo();
  const db = await connectMongo(mongo.url('monitor'));
  const stores = createStores(db, 1_000);
  await Promise.all([stores.receipts.prepare(), stores.watches.prepare()]);
  await outboxModel(db).createCollection();
  const pacing = { scale: 1, stretch: unstretched, random: Math.random };
  const plain: StoreContext = {
    db,
    ids: createIds(db),
    outbox: createOutbox('monitor', db, () => at),
    stores,
    pacing,
  };

  const seenFirst = seen('Case Was Received', 1);
  const baseline = { status_update_id: 7, observation: 1, facts_hash: seenFirst.hashes.facts_hash };
  await beginWatch(plain, { case: reference(1), version: 1, first_check: 'seen', baseline, at });
  await recordAnswer(plain, receiptNumber, seenFirst);
  const first = await stores.receipts.find(receiptNumber);
  const watch = await stores.watches.find(1);
  if (!first || !watch) throw new Error('nothing to begin with');
  const due = dueOf(first);

  const operations = {
    register: (ctx: StoreContext) =>
      beginWatch(ctx, { case: reference(2), version: 1, first_check: 'seen', baseline, at }),
    end: (ctx: StoreContext) => endWatch(ctx, { case: reference(1), version: 2, isDeleted: false, at }),
    delete: (ctx: StoreContext) => endWatch(ctx, { case: reference(1), version: 2, isDeleted: true, at }),
    'begin again': (ctx: StoreContext) =>
      beginWatch(ctx, { case: reference(1), version: 3, first_check: null, baseline: null, at }),
    change: (ctx: StoreContext) => recordAnswer(ctx, receiptNumber, seen('Case Was Approved', 10)),
    /** An earlier request that answers late, or at least seems to. */
    late: (ctx: StoreContext) => recordAnswer(ctx, receiptNumber, seen('Case Was Received', 5)),
    /** The same by the way of the many that changed nothing. */
    async unchanged(ctx: StoreContext) {
      const turn = { schedule_class: due.schedule_class, next_check_at: at };
      const missed = await ctx.stores.receipts.writeUnchanged([
        { receipt: due, sent: 5, checkedAt: at, turn },
      ]);
      for (const { receipt } of missed) await recordAnswer(ctx, receipt._id, seen('Case Was Received', 5));
    },
    unknown: (ctx: StoreContext) =>
      recordAnswer(ctx, receiptNumber, { kind: 'not_found', sent: 4, checkedAt: at, message: null }),
    async 'same again'(ctx: StoreContext) {
      const now = await stores.receipts.find(receiptNumber);
      await recordAnswer(ctx, receiptNumber, seen(now?.facts?.status_code ?? 'Case Was Received', 20));
    },
  };
  type Operation = keyof typeof operations;

  async function writeConflicts(): Promise<number> {
    const status = await db.db?.admin().command({ serverStatus: 1 });
    return Number(status?.metrics.operation.writeConflicts);
  }

  function gated(gate: Gate): StoreContext {
    return {
      ...plain,
      outbox: steppedBy(plain.outbox, gate),
      stores: {
        ...stores,
        receipts: steppedBy(stores.receipts, gate),
        watches: steppedBy(stores.watches, gate),
      },
    };
  }

  return {
    run: async (name: Operation) => void (await operations[name](plain)),

    /** As it was when case 1 had just begun to watch. */
    async reset(): Promise<void> {
      await Promise.all(['receipts', 'watches', 'outbox'].map((name) => db.collection(name).deleteMany({})));
      await db.collection<Receipt>('receipts').insertOne(structuredClone(first));
      await db.collection<Watch>('watches').insertOne(structuredClone(watch));
    },

    /**
     * Holds `held` up before its step number `step` until `other` is done, or waits for what `held` has locked.
     * `isOver`: it has no such step.
     */
    async interleave(held: Operation, other: Operation, step: number): Promise<{ isOver: boolean }> {
      const reached = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      let steps = 0;
      const holdUp = gated(async () => {
        if (steps++ !== step) return;
        reached.resolve();
        await goOn.promise;
      });
      const holding = persist(() => operations[held](holdUp));
      await Promise.race([reached.promise, holding]);
      const conflicts = await writeConflicts();
      let isDone = false;
      const otherwise = persist(() => operations[other](plain)).finally(() => {
        isDone = true;
      });
      // Done, or waiting for a lock that the held one has: the database counts how often it tried.
      await Promise.race([
        otherwise,
        waitFor(async () => isDone || (await writeConflicts()) > conflicts, {
          intervalMs: 5,
          timeoutMs: 60_000,
        }),
      ]);
      goOn.resolve();
      await Promise.all([holding, otherwise]);
      return { isOver: steps <= step };
    },

    async look(): Promise<View> {
      const rows = await outboxModel(db).find({ type: 'status.updated' }).lean();
      const told = rows.map((row) => JSON.parse(row.body).data);
      return {
        receipt: await stores.receipts.find(receiptNumber),
        watches: await db.collection<Watch>('watches').find().toArray(),
        updates: rows.length,
        updatesOf: (caseId) =>
          told
            .filter((data) => data.case.id === caseId)
            .map(({ status_update: { status_code, observation }, skip_reason }) => ({
              status_code,
              observation,
              skip_reason,
            })),
      };
    },

    async stop(): Promise<void> {
      await db.close();
      await mongo.stop();
    },
  };
}

export type Interleaved = Awaited<ReturnType<typeof startInterleaved>>;

/** As the bus does: a handler that could not finish is called again. */
async function persist(operation: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await operation();
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'service_unavailable' || tries === 20) throw error;
    }
  }
}

/** The same object, each of whose calls waits at the gate first. */
function steppedBy<T extends object>(target: T, gate: Gate): T {
  return new Proxy(target, {
    get(_target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        await gate();
        return await value.apply(target, args);
      };
    },
  });
}

function dueOf(receipt: Receipt): DueReceipt {
  const { schedule_class, next_check_at } = receipt;
  if (schedule_class === null || next_check_at === null) throw new Error('not watched');
  return { ...receipt, schedule_class, next_check_at };
}
