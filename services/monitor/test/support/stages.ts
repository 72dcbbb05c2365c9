import type { CaseReference } from '@casewatch/contracts';
import type { Connection } from '@casewatch/platform/database';
import type { FanOut } from '../../src/domain/fan-out.ts';
import { type Receipt, unscheduled, type Watch } from '../../src/domain/receipt.ts';

/** `pending`: watched, and a change waits for its fan-out. */
export type Beginning = 'watched' | 'pending' | 'unwatched' | 'unknown';

/** A receipt with three cases. One order of steps runs on it, and on nothing else. */
export type Stage = { number: number; receiptNumber: string; caseId(caseNumber: number): number };

/** Rows of a receipt that case 1 has begun to watch, before and after a change. */
type Rows = { before: Receipt; watch: Watch; changed: Receipt; pending: FanOut };

const idsOfStage = 10;
/** Stages whose rows are written at once. */
const batchSize = 16;
const later = new Date('2999-01-01T00:00:00.000Z');

export const stageNumber = (caseId: number): number => Math.floor(caseId / idsOfStage);

export function referenceOf(stage: Stage, caseNumber: number): CaseReference {
  const id = stage.caseId(caseNumber);
  const user_case_id = `FLOW${String(id).padStart(7, '0')}`;
  return { id, user_case_id, receipt_number: stage.receiptNumber, user_id: 1, partner_id: 1 };
}

/** Writes and reads the rows of many stages at once. `record` makes the rows of one stage, from which those of others are copied. */
export async function createStages(db: Connection, record: (stage: Stage) => Promise<Rows>) {
  let last = 0;
  const newStage = (): Stage => stageOf(++last);
  const ready = new Map<Beginning, Stage[]>();
  const receipts = db.collection<Receipt>('receipts');
  const watches = db.collection<Watch>('watches');
  const fanOuts = db.collection<FanOut>('fan_outs');

  async function clear(): Promise<void> {
    ready.clear();
    const names = ['receipts', 'watches', 'outbox', 'fan_outs'];
    await Promise.all(names.map((name) => db.collection(name).deleteMany({})));
  }

  const rows = await record(newStage());
  await clear();

  async function prepare(beginning: Beginning): Promise<Stage[]> {
    const stages = Array.from({ length: batchSize }, newStage);
    if (beginning === 'unknown') return stages;
    await receipts.insertMany(stages.map((stage) => receiptOf(rows, stage, beginning)));
    if (beginning === 'unwatched') return stages;
    await watches.insertMany(stages.map((stage) => watchOf(rows, stage)));
    if (beginning === 'pending') await fanOuts.insertMany(stages.map((stage) => pendingOf(rows, stage)));
    return stages;
  }

  return {
    before: rows.before,
    clear,

    /** Case 1 has just begun to watch a new receipt; or no case watches it, and the receipt is known or not. */
    async begin(beginning: Beginning): Promise<Stage> {
      const stages = ready.get(beginning)?.length ? ready.get(beginning) : await prepare(beginning);
      ready.set(beginning, stages ?? []);
      const stage = stages?.pop();
      if (!stage) throw new Error('no stage was prepared');
      return stage;
    },

    /** The rows of all stages. */
    async look() {
      const [allReceipts, allWatches] = await Promise.all([
        receipts.find().toArray(),
        watches.find().toArray(),
      ]);
      const receiptOfNumber = new Map(allReceipts.map((receipt) => [receipt._id, receipt]));
      const watchesOfStage = Map.groupBy(allWatches, ({ _id }) => stageNumber(_id));
      return {
        receipt: ({ receiptNumber }: Stage) => receiptOfNumber.get(receiptNumber) ?? null,
        watches: ({ number }: Stage) => watchesOfStage.get(number) ?? [],
      };
    },
  };
}

function stageOf(number: number): Stage {
  const receiptNumber = `EAC${7_000_000_000 + number}`;
  return { number, receiptNumber, caseId: (caseNumber) => number * idsOfStage + caseNumber };
}

function receiptOf({ before, changed }: Rows, stage: Stage, beginning: Beginning): Receipt {
  const _id = stage.receiptNumber;
  if (beginning !== 'unwatched')
    return { ...(beginning === 'pending' ? changed : before), _id, watched_by: stage.caseId(1) };
  return {
    ...before,
    _id,
    ...unscheduled,
    watchers: 0,
    watched_by: null,
    new_since: null,
    expires_at: later,
  };
}

function watchOf({ watch }: Rows, stage: Stage): Watch {
  const reference = referenceOf(stage, 1);
  return { ...watch, _id: reference.id, receipt_number: stage.receiptNumber, case: reference };
}

function pendingOf({ pending }: Rows, { receiptNumber }: Stage): FanOut {
  const _id = pending._id.replace(pending.receipt_number, receiptNumber);
  return { ...pending, _id, receipt_number: receiptNumber };
}
