import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, createIds, createOutbox, outboxModel, prepareModels } from '@casewatch/platform';
import { connectDatabase, startMongo } from '@casewatch/testing';
import { beginWatch } from '../../src/changes/begin-watch.ts';
import { endWatch } from '../../src/changes/end-watch.ts';
import { fanOutBatch } from '../../src/changes/fan-out.ts';
import { recordAnswer } from '../../src/changes/record-answer.ts';
import { type ChangeContext, ConflictError } from '../../src/changes/retry-on-conflict.ts';
import type { Answer } from '../../src/domain/decide-answer.ts';
import type { FanOut } from '../../src/domain/fan-out.ts';
import { hashesOf } from '../../src/domain/hashes.ts';
import { parseCaseStatus } from '../../src/domain/parse-case-status.ts';
import { type Receipt, unscheduled, type Watch } from '../../src/domain/receipt.ts';
import type { DueReceipt } from '../../src/store/due-receipts.ts';
import { createStores } from '../../src/store/stores.ts';
import { scheduleParams } from './schedule-params.ts';
import { type Actor, type Choose, type Gate, startActor } from './step-by-step.ts';

const receiptNumber = 'EAC7000000001';
// Of today: MongoDB deletes rows whose time is over.
const at = new Date();
const later = new Date('2999-01-01T00:00:00.000Z');
const reference = (id: number) => ({
  id,
  user_case_id: `FLOW000000${id}`,
  receipt_number: receiptNumber,
  user_id: 1,
  partner_id: 1,
});

function seen(title: string, sent: number): Answer & { kind: 'seen' } {
  const parsed = parseCaseStatus({
    current_case_status_text_en: title,
    current_case_status_desc_en: `${title}.`,
  });
  if (!parsed) throw new Error('no title');
  return { kind: 'seen', sent, checkedAt: at, seen: parsed, hashes: hashesOf(parsed) };
}

export type Operation =
  | 'register'
  | 'register too'
  | 'end'
  | 'delete'
  | 'begin again'
  | 'change'
  | 'late'
  | 'unchanged'
  | 'unknown'
  | 'unknown later'
  | 'fan out'
  | 'fan out too';
/** `pending`: watched, and a change waits for its fan-out. */
export type Beginning = 'watched' | 'pending' | 'unwatched' | 'unknown';

type Told = { status_code: string; observation: number; skip_reason: string | null };

/** What the world holds when all is done. */
type View = { receipt: Receipt | null; watches: Watch[] };

/** What the outbox holds: the number of updates, and those of a case. */
type Updates = { count: number; of(caseId: number): Told[] };

/**
 * What two procedures can do between each other: each read, the receipt's write (with it a transaction begins, and holds
 * the receipt), and the rest of the transaction with its commit. What else a transaction writes meets nobody.
 */
const steps = {
  receipts: ['find', 'write', 'remove', 'writeUnchanged'],
  watches: ['find', 'findConcerned', 'isUsedByOtherCase', 'write', 'noteLastUpdates'],
  fanOuts: ['add', 'remove'],
} as const;
/** Whoever stands before one of these holds the receipt. */
const endsOfTransactions: (string | undefined)[] = ['watches.write', 'fanOuts.add'];
/** A single write that meets a lock waits in the database, and nobody says so, ms. */
const lockedMs = 40;

/** The procedures that change a receipt, against a real database, each of whose steps can be held up. */
export async function startInterleaved() {
  const mongo = await startMongo();
  const db = await connectDatabase(mongo.url('monitor'));
  const stores = createStores(db);
  await prepareModels(db);
  await outboxModel(db).createCollection();
  const plain: ChangeContext = {
    db,
    ids: createIds(db),
    outbox: createOutbox('monitor', db, () => at),
    stores,
    signals: new EventEmitter(),
    scheduleParams: () => scheduleParams,
  };

  const seenFirst = seen('Case Was Received', 1);
  const baseline = { status_update_id: 7, observation: 1, facts_hash: seenFirst.hashes.facts_hash };
  await beginWatch(plain, { case: reference(1), version: 1, first_check: 'seen', baseline, at });
  await recordAnswer(plain, receiptNumber, seenFirst);
  const first = await stores.receipts.find(receiptNumber);
  if (!first) throw new Error('nothing to begin with');
  await drain(plain);
  const watch = await stores.watches.find(1);
  if (!watch) throw new Error('nothing to begin with');
  const due = dueOf(first);
  await recordAnswer(plain, receiptNumber, seen('Case Was Approved', 10));
  const changed = await stores.receipts.find(receiptNumber);
  const [pending] = await stores.fanOuts.findAfter('', 1);
  if (!changed || !pending) throw new Error('no change waits for its fan-out');
  let settled = 0;

  const operations: Record<Operation, (ctx: ChangeContext) => Promise<unknown>> = {
    register: (ctx) => beginWatch(ctx, { case: reference(2), version: 1, first_check: 'seen', baseline, at }),
    'register too': (ctx) =>
      beginWatch(ctx, { case: reference(3), version: 1, first_check: 'seen', baseline, at }),
    end: (ctx) => endWatch(ctx, { case: reference(1), version: 2, isDeleted: false, at }),
    delete: (ctx) => endWatch(ctx, { case: reference(1), version: 2, isDeleted: true, at }),
    'begin again': (ctx) =>
      beginWatch(ctx, { case: reference(1), version: 3, first_check: null, baseline: null, at }),
    change: (ctx) => recordAnswer(ctx, receiptNumber, seen('Case Was Approved', 10)),
    /** An earlier request that answers late, or at least seems to. */
    late: (ctx) => recordAnswer(ctx, receiptNumber, seen('Case Was Received', 5)),
    /** The same by the way of the many that changed nothing. */
    async unchanged(ctx) {
      const { bucket, schedule_class, next_check_at } = first;
      const turn = { bucket, checked_at: at, schedule_class, next_check_at };
      const missed = await ctx.stores.receipts.writeUnchanged([
        { receipt: due, sent: 5, checkedAt: at, next: turn },
      ]);
      for (const { receipt } of missed) await recordAnswer(ctx, receipt._id, seen('Case Was Received', 5));
    },
    'fan out': drain,
    'fan out too': drain,
    unknown: (ctx) =>
      recordAnswer(ctx, receiptNumber, { kind: 'not_found', sent: 4, checkedAt: at, message: null }),
    /** The same of a request after the change's. */
    'unknown later': (ctx) =>
      recordAnswer(ctx, receiptNumber, { kind: 'not_found', sent: 15, checkedAt: at, message: null }),
  };

  const gated = (gate: Gate): ChangeContext => ({
    ...plain,
    stores: {
      ...stores,
      receipts: steppedBy(stores.receipts, { name: 'receipts', of: steps.receipts, gate }),
      watches: steppedBy(stores.watches, { name: 'watches', of: steps.watches, gate }),
      fanOuts: steppedBy(stores.fanOuts, { name: 'fanOuts', of: steps.fanOuts, gate }),
    },
  });
  const start = (name: Operation) => startActor((gate) => persist(() => operations[name](gated(gate))));

  return {
    run: (name: Operation) => persist(() => operations[name](plain)),

    /** The government is asked once more, after all that came before, and says what is so. */
    async settle(title: string): Promise<void> {
      settled += 1;
      await recordAnswer(plain, receiptNumber, seen(title, 20 + settled));
      await drain(plain);
    },

    /** As it was when case 1 had just begun to watch; or nobody did, and the receipt is known or not. */
    async reset(beginning: Beginning = 'watched'): Promise<void> {
      await Promise.all(
        ['receipts', 'watches', 'outbox', 'fan_outs'].map((name) => db.collection(name).deleteMany({})),
      );
      if (beginning === 'unknown') return;
      const isPending = beginning === 'pending';
      const isWatched = isPending || beginning === 'watched';
      if (isPending) await db.collection<FanOut>('fan_outs').insertOne(structuredClone(pending));
      const watched = isPending ? changed : first;
      const receipt = isWatched
        ? watched
        : { ...first, ...unscheduled, watchers: 0, watched_by: null, new_since: null, expires_at: later };
      await db.collection<Receipt>('receipts').insertOne(structuredClone(receipt));
      if (isWatched) await db.collection<Watch>('watches').insertOne(structuredClone(watch));
    },

    /** Lets both go on step by step, in the order that `choose` says. */
    async interleave(names: readonly [Operation, Operation], choose: Choose): Promise<void> {
      const actors = [await start(names[0]), await start(names[1])] as const;
      const [one, other] = actors;
      const otherOf = (actor: Actor) => (actor === one ? other : one);
      const holds = (actor: Actor) => endsOfTransactions.includes(actor.next());
      while (!actors.every((actor) => actor.isDone())) {
        const ready = actors.filter((actor) => actor.next() !== undefined && !actor.isStalled());
        const actor = ready.length > 0 ? ready[choose(ready.length)] : undefined;
        if (actor) {
          await actor.step(holds(otherOf(actor)) ? delay(lockedMs) : actor.done);
          otherOf(actor).stir();
        } else for (const stalled of actors) stalled.stir();
        // Whoever waited for a lock goes on by itself as soon as it is free.
        for (const waiting of actors) {
          const isFree = !holds(otherOf(waiting));
          if (waiting.next() === undefined && isFree) await waiting.step(waiting.done);
        }
      }
      await Promise.all(actors.map(({ done }) => done));
    },

    /** Ends it before its step number `step`, as a process that dies does; true: it was done before. */
    async crash(name: Operation, step: number): Promise<boolean> {
      const actor = await start(name);
      for (let n = 0; n < step && !actor.isDone(); n++) await actor.step(actor.done);
      const isOver = actor.isDone();
      await actor.crash();
      return isOver;
    },

    async look(): Promise<View> {
      const [receipt, rows] = await Promise.all([
        stores.receipts.find(receiptNumber),
        db.collection<Watch>('watches').find().toArray(),
      ]);
      return { receipt, watches: rows };
    },

    async updates(): Promise<Updates> {
      const rows = await outboxModel(db).find({ type: 'status.updated' }).lean();
      const told = rows.map((row) => JSON.parse(row.body).data);
      return {
        count: rows.length,
        of: (caseId) =>
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

/** Passes on what waits, as the sender does. */
async function drain(ctx: ChangeContext): Promise<void> {
  for (;;) {
    const [row] = await ctx.stores.fanOuts.findAfter('', 1);
    if (!row) return;
    await fanOutBatch(ctx, row).catch((error: unknown) => {
      if (!(error instanceof ConflictError)) throw error;
    });
  }
}

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

type Stepped = { name: string; of: readonly string[]; gate: Gate };

/** The same object, some of whose calls wait at the gate first. */
function steppedBy<T extends object>(target: T, { name: owner, of, gate }: Stepped): T {
  return new Proxy(target, {
    get(_target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || !of.includes(String(name))) return value;
      return async (...args: unknown[]) => {
        await gate(`${owner}.${String(name)}`);
        return await value.apply(target, args);
      };
    },
  });
}

function dueOf(receipt: Receipt): DueReceipt {
  const { bucket, checked_at } = receipt;
  if (bucket === null || checked_at === null) throw new Error('not watched');
  return { ...receipt, bucket, checked_at };
}
