import { type Connection, collection, type Session, updateWideRow } from '@casewatch/platform';
import type { LastUpdate } from '../domain/case-update.ts';
import type { Watch } from '../domain/receipt.ts';

const watches = collection<Watch>('watches', Number, [
  // With `_id`, the index alone answers `findCaseIds`.
  {
    name: 'watching',
    keys: { receipt_number: 1, active: 1, _id: 1 },
    partialFilterExpression: { receipt_number: { $exists: true } },
  },
  // Tombstones are kept for 30 days (architecture.md §3).
  { name: 'tombstones', keys: { deleted_at: 1 }, expireAfterSeconds: 30 * 24 * 60 * 60 },
]);

const idsPerAnswer = 2_000;

/** The collection `watches`: one row per case, kept for 30 days after its deletion. */
export function createWatchStore(db: Connection) {
  const model = watches(db);
  return {
    async find(caseId: number): Promise<Watch | null> {
      return await model.findById(caseId).lean<Watch>();
    },

    async findActive(receiptNumber: string): Promise<Watch[]> {
      return await model.find({ receipt_number: receiptNumber, active: true }).lean<Watch[]>();
    },

    async isUsedByOtherCase(receiptNumber: string, caseId: number): Promise<boolean> {
      return (await model.exists({ receipt_number: receiptNumber, _id: { $ne: caseId } })) !== null;
    },

    async findCaseIds(receiptNumbers: readonly string[]): Promise<Map<string, number[]>> {
      if (receiptNumbers.length === 0) return new Map();
      const rows = await model
        .find({ receipt_number: { $in: [...receiptNumbers] }, active: true }, { receipt_number: 1 })
        .batchSize(idsPerAnswer)
        .lean();
      const groups = Map.groupBy(rows, (row) => row.receipt_number);
      return new Map([...groups].map(([number, group]) => [number, group.map(({ _id }) => _id)]));
    },

    async write(former: Watch | null, next: Watch, session: Session): Promise<boolean> {
      if (!former) {
        await model.insertMany([next], { session });
        return true;
      }
      const { _id, ...fields } = next;
      return await updateWideRow(model, { _id, version: former.version }, { $set: fields }, { session });
    },

    async noteLastUpdate(caseIds: readonly number[], known: LastUpdate, session: Session): Promise<void> {
      if (caseIds.length === 0) return;
      const $set = { ...known, awaits: null };
      await model.updateMany({ _id: { $in: [...caseIds] } }, { $set }, { session });
    },

    /** After a 404 users wait for the first state: they will be notified of it. */
    async awaitFirstState(receiptNumber: string, session: Session): Promise<void> {
      const filter = { receipt_number: receiptNumber, active: true, awaits: 'baseline' as const };
      await model.updateMany(filter, { $set: { awaits: 'status' } }, { session });
    },
  };
}
