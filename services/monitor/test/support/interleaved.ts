import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@casewatch/platform';
import {
  createIds,
  createOutbox,
  type OutboxRow,
  outboxModel,
  prepareModels,
} from '@casewatch/platform/database';
import { connectDatabase, startMongo } from '@casewatch/testing';
import { beginWatch } from '../../src/changes/begin-watch.ts';
import type { ChangeContext } from '../../src/changes/change-receipt.ts';
import { endWatch } from '../../src/changes/end-watch.ts';
import { fanOutBatch } from '../../src/changes/fan-out.ts';
import { recordAnswer } from '../../src/changes/record-answer.ts';
import { hashesOf } from '../../src/domain/case-content.ts';
import type { Answer } from '../../src/domain/outcome.ts';
import { parseCaseStatus } from '../../src/domain/parse-case-status.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import { ConflictError } from '../../src/store/conflict.ts';
import type { DueReceipt } from '../../src/store/receipts.ts';
import { createStores } from '../../src/store/stores.ts';
import { passOnAll } from './pass-on-all.ts';
import { scheduleParams } from './schedule-params.ts';
import { type Beginning, createStages, referenceOf, type Stage, stageNumber } from './stages.ts';
import { type Actor, type Choose, type Gate, startActor, steppedBy } from './step-by-step.ts';
import { commute, endsOfTransactions, isRead, steps } from './steps.ts';

// Of today: MongoDB deletes rows whose time is over.
const at = new Date();

function seen(title: string, sent: number, modifiedDate?: string): Answer & { outcome: 'seen' } {
  const parsed = parseCaseStatus({
    current_case_status_text_en: title,
    current_case_status_desc_en: `${title}.`,
    modifiedDate,
  });
  if (!parsed) throw new Error('no title');
  return { outcome: 'seen', sent, checkedAt: at, seen: parsed, hashes: hashesOf(parsed) };
}

export type Operation =
  | 'register'
  | 'register too'
  | 'end'
  | 'delete'
  | 'begin again'
  | 'change'
  | 'late'
  | 'touch'
  | 'unchanged'
  | 'unknown'
  | 'unknown later'
  | 'fan out'
  | 'fan out too';
type Touched = { case_id: number; status_update_id: number };
type Told = { status_code: string; observation: number; skip_reason: string | null };

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
    planner: scheduleParams,
  };

  const seenFirst = seen('Case Was Received', 1);
  const baseline = { status_update_id: 7, observation: 1, facts_hash: seenFirst.hashes.facts_hash };
  const register = (caseNumber: number) => (ctx: ChangeContext, stage: Stage) =>
    beginWatch(ctx, {
      case: referenceOf(stage, caseNumber),
      version: 1,
      first_check: 'seen',
      baseline,
      at,
    });
  const stages = await createStages(db, async (stage) => {
    await register(1)(plain, stage);
    await recordAnswer(plain, stage.receiptNumber, seenFirst);
    await drain(plain, stage);
    const before = await stores.receipts.find(stage.receiptNumber);
    const watch = await stores.watches.find(stage.caseId(1));
    await recordAnswer(plain, stage.receiptNumber, seen('Case Was Approved', 10));
    const changed = await stores.receipts.find(stage.receiptNumber);
    const [pending] = await stores.fanOuts.findAfter('', 1);
    if (!before || !watch || !changed || !pending) throw new Error('no change waits for its fan-out');
    return { before, watch, changed, pending };
  });
  let settled = 0;

  const operations: Record<Operation, (ctx: ChangeContext, stage: Stage) => Promise<unknown>> = {
    register: register(2),
    'register too': register(3),
    end: (ctx, stage) => endWatch(ctx, { case: referenceOf(stage, 1), version: 2, isDeleted: false, at }),
    delete: (ctx, stage) => endWatch(ctx, { case: referenceOf(stage, 1), version: 2, isDeleted: true, at }),
    'begin again': (ctx, stage) =>
      beginWatch(ctx, { case: referenceOf(stage, 1), version: 3, first_check: null, baseline: null, at }),
    change: (ctx, stage) => recordAnswer(ctx, stage.receiptNumber, seen('Case Was Approved', 10)),
    /** An earlier request that answers late, or at least seems to. */
    late: (ctx, stage) => recordAnswer(ctx, stage.receiptNumber, seen('Case Was Received', 5)),
    /** USCIS moved the date alone, before the change. */
    touch: (ctx, stage) =>
      recordAnswer(ctx, stage.receiptNumber, seen('Case Was Received', 6, '11-22-2026 10:00:00')),
    /** The same by the way of the many that changed nothing. */
    async unchanged(ctx, { receiptNumber }) {
      const before = dueOf(stages.before, receiptNumber);
      const after = { ...before, checked_at: at, last_checked: at, sent: 5 };
      const [isWritten] = await ctx.stores.receipts.writeUnchanged([{ before, after }]);
      if (!isWritten) await recordAnswer(ctx, receiptNumber, seen('Case Was Received', 5));
    },
    'fan out': drain,
    'fan out too': drain,
    unknown: (ctx, { receiptNumber }) =>
      recordAnswer(ctx, receiptNumber, { outcome: 'not_found', sent: 4, checkedAt: at, message: null }),
    /** The same of a request after the change's. */
    'unknown later': (ctx, { receiptNumber }) =>
      recordAnswer(ctx, receiptNumber, { outcome: 'not_found', sent: 15, checkedAt: at, message: null }),
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
  const start = (stage: Stage, name: Operation) =>
    startActor((gate) => persist(() => operations[name](gated(gate), stage)));

  return {
    begin: (beginning: Beginning = 'watched') => stages.begin(beginning),

    run: (stage: Stage, name: Operation) => persist(() => operations[name](plain, stage)),

    /** The government is asked once more, after all that came before, and says what is so. `passOn` tells the cases. */
    settle: (stage: Stage, title: string) =>
      recordAnswer(plain, stage.receiptNumber, seen(title, 20 + ++settled)),

    passOn: () => passOnAll(plain),

    /**
     * Lets both go on step by step, in the order that `choose` says. Of two steps in a row that are the same in either order,
     * that of the first procedure comes first.
     */
    async interleave(stage: Stage, names: readonly [Operation, Operation], choose: Choose): Promise<void> {
      const actors = [await start(stage, names[0]), await start(stage, names[1])] as const;
      const [one, other] = actors;
      const otherOf = (actor: Actor) => (actor === one ? other : one);
      const holds = (actor: Actor) => endsOfTransactions.includes(actor.next());
      let isSwapped = false;
      while (!actors.every((actor) => actor.isDone())) {
        const ready = actors.filter((actor) => actor.next() !== undefined && !actor.isStalled());
        const choices: Actor[] = isSwapped && ready.includes(other) ? [other] : ready;
        const actor = choices.length > 0 ? choices[choose(choices.length)] : undefined;
        isSwapped = actor === other && ready.includes(one) && commute(one.next(), other.next());
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

    /** Ends it before its write number `write`, as a process that dies does; true: it was done before. */
    async crash(stage: Stage, name: Operation, write: number): Promise<boolean> {
      const actor = await start(stage, name);
      for (let written = 0; !actor.isDone(); ) {
        if (!isRead(actor.next()) && written++ === write) break;
        await actor.step(actor.done);
      }
      const isOver = actor.isDone();
      await actor.crash();
      return isOver;
    },

    look: stages.look,
    clear: stages.clear,

    /** The updates in the outbox: those of a case, and how many each stage has. */
    async updates() {
      const rows = await db.collection<OutboxRow>('outbox').find({ type: 'status.updated' }).toArray();
      const told = rows.map((row) => toldIn(row.body));
      const byCase = Map.groupBy(told, ({ caseId }) => caseId);
      const byStage = Map.groupBy(told, ({ caseId }) => stageNumber(caseId));
      return {
        count: (stage: Stage) => byStage.get(stage.number)?.length ?? 0,
        of: (caseId: number) => (byCase.get(caseId) ?? []).map(({ update }) => update),
      };
    },

    /** The updates that were touched and given, by case. */
    async touches() {
      const find = async (type: string) => await db.collection<OutboxRow>('outbox').find({ type }).toArray();
      const [touched, given] = await Promise.all([find('status.touched'), find('status.updated')]);
      const touches = touched.flatMap(({ body }) => JSON.parse(body).data.updates as Touched[]);
      const gifts = given.map(({ body }) => {
        const { data } = JSON.parse(body);
        return { case_id: data.case.id as number, status_update_id: data.status_update.id as number };
      });
      const [touchesOf, giftsOf] = [touches, gifts].map((list) =>
        Map.groupBy(list, ({ case_id }) => case_id),
      );
      return {
        touched: (caseId: number) => touchesOf?.get(caseId)?.map((row) => row.status_update_id) ?? [],
        given: (caseId: number) => [7, ...(giftsOf?.get(caseId) ?? []).map((row) => row.status_update_id)],
      };
    },

    async stop(): Promise<void> {
      await db.close();
      await mongo.stop();
    },
  };
}

export type Interleaved = Awaited<ReturnType<typeof startInterleaved>>;

/** Passes on the changes of a receipt that wait, as the sender does. */
async function drain(ctx: ChangeContext, { receiptNumber }: Stage): Promise<void> {
  for (;;) {
    const [row] = await ctx.stores.fanOuts.findAfter(receiptNumber, 1);
    if (row?.receipt_number !== receiptNumber) return;
    await fanOutBatch(ctx, row).catch((error: unknown) => {
      if (!(error instanceof ConflictError)) throw error;
    });
  }
}

function toldIn(body: string): { caseId: number; update: Told } {
  const { data } = JSON.parse(body);
  const { status_code, observation } = data.status_update;
  return { caseId: data.case.id, update: { status_code, observation, skip_reason: data.skip_reason } };
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

function dueOf(receipt: Receipt, receiptNumber: string): DueReceipt {
  const { bucket, checked_at } = receipt;
  if (bucket === null || checked_at === null) throw new Error('not watched');
  return { ...receipt, _id: receiptNumber, bucket, checked_at };
}
