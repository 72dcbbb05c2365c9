import { writeFile } from 'node:fs/promises';
import mongoose from 'mongoose';
import { hashesOf } from '../../../../services/monitor/src/domain/hashes.ts';
import { parseCaseStatus } from '../../../../services/monitor/src/domain/parse-case-status.ts';
import { caseOf } from './case-of.ts';
import type { DueRow } from './due-order.ts';
import { receiptAt } from './receipts.ts';

type Row = { _id: string } & Record<string, unknown>;
type WatchRow = { _id: number } & Record<string, unknown>;

const rowsPerInsert = 5_000;
const dayMs = 24 * 60 * 60 * 1_000;
/** Ids of the cases: one for each receipt. */
const firstCase = 1_000_000;
/** Jitter of the class `normal`, both ways. */
const jitter = 0.2;

/** What the monitor keeps of the case that is served for a receipt. */
function seenOf(_id: string) {
  const seen = parseCaseStatus(caseOf(_id));
  if (!seen) throw new Error(`the bench's government serves no title for ${_id}`);
  return { _id, facts: seen.facts, ...hashesOf(seen) };
}

/** The monitor's own collections, as a bench looks at them and fills them. */
export async function openStore(url: string) {
  const connection = await mongoose
    .createConnection(url, { autoCreate: false, autoIndex: false })
    .asPromise();
  const receipts = connection.collection<Row>('receipts');
  const watches = connection.collection<WatchRow>('watches');

  return {
    receipts,
    close: () => connection.close(),

    /** The one receipt that the monitor made by itself. */
    async template(): Promise<{ receipt: Row; watch: WatchRow } | null> {
      const receipt = await receipts.findOne({ facts_hash: { $type: 'string' } });
      const watch = await watches.findOne({ active: true });
      return receipt && watch && { receipt, watch };
    },

    /** Puts `count` receipts like the template there, each watched by one case of its own. */
    async fill(count: number, { receipt, watch }: { receipt: Row; watch: WatchRow }): Promise<void> {
      const longAgo = new Date(Date.now() - 30 * dayMs);
      const old = { new_since: longAgo, since: longAgo, schedule_class: 'normal', next_check_at: null };
      for (let start = 0; start < count; start += rowsPerInsert) {
        const indexes = Array.from({ length: Math.min(rowsPerInsert, count - start) }, (_, i) => start + i);
        await receipts.insertMany(
          indexes.map((i) => ({
            ...receipt,
            ...old,
            ...seenOf(receiptAt(i)),
            sent: 0,
            watched_by: firstCase + i,
          })),
          { ordered: false },
        );
        await watches.insertMany(
          indexes.map((i) => ({ ...watch, _id: firstCase + i, receipt_number: receiptAt(i) })),
          { ordered: false },
        );
      }
      await receipts.deleteOne({ _id: receipt._id });
    },

    /** All are due already. */
    async makeDue(): Promise<void> {
      const hourMs = 60 * 60 * 1_000;
      const past = { $subtract: ['$$NOW', { $multiply: [{ $rand: {} }, hourMs] }] };
      await receipts.updateMany({}, [{ $set: { next_check_at: past, last_checked: '$$NOW' } }]);
    },

    /**
     * Due times as they are where checks have gone on for long: what is left of an interval of `intervalMs` ± 20 % at
     * the moment `start`, which does not know of it.
     */
    async makeSteady(intervalMs: number, start: Date): Promise<void> {
      const [low, high] = [(1 - jitter) ** 2, (1 + jitter) ** 2];
      const length = { $sqrt: { $add: [low, { $multiply: [{ $rand: {} }, high - low] }] } };
      const rest = { $multiply: [{ $rand: {} }, length, intervalMs] };
      await receipts.updateMany({}, [
        { $set: { next_check_at: { $add: [start, rest] }, last_checked: '$$NOW' } },
      ]);
    },

    /** Writes all due times (ms since 1970, in the order of the receipts) to a file for the witness. */
    async writeDueTimes(count: number, file: string): Promise<void> {
      const due = new Float64Array(count);
      let index = 0;
      for await (const row of receipts.find({}, { projection: { next_check_at: 1 } }).sort({ _id: 1 }))
        due[index++] = row.next_check_at instanceof Date ? row.next_check_at.getTime() : 0;
      await writeFile(file, new Uint8Array(due.buffer));
    },

    /** Has mongod write out everything that was changed so far, so that what follows does not pay for it. */
    async settle(): Promise<void> {
      await connection.db?.admin().command({ fsync: 1 });
    },

    /** All receipts with the times at which they are due. */
    async allDue(): Promise<DueRow[]> {
      const rows = await receipts.find({}, { projection: { next_check_at: 1 } }).toArray();
      return rows.map(({ _id, next_check_at: due }) => ({ _id, dueMs: (due as Date).getTime() }));
    },

    /** One plain bulk write: each row as a check would change it, acknowledged in the same way. */
    async reschedule(rows: readonly DueRow[], now: Date): Promise<void> {
      await receipts.bulkWrite(
        rows.map(({ _id, dueMs }) => ({
          updateOne: {
            filter: { _id },
            update: {
              $set: { sent: 1, last_checked: now, next_check_at: new Date(dueMs), failures: 0 },
            },
          },
        })),
        { ordered: false, writeConcern: { w: 'majority', journal: true } },
      );
    },
  };
}

export type Store = Awaited<ReturnType<typeof openStore>>;
