import { type Connection, collection, type Session, updateWideRow } from '@casewatch/platform/database';
import type { FanOut } from '../domain/fan-out.ts';
import type { LaterUpdate, Watch } from '../domain/receipt.ts';
import { confirm } from './conflict.ts';

const watches = collection<Watch>('watches', Number, [
  // With `_id`, the index alone answers `caseIdsOf`.
  {
    name: 'watching',
    keys: { receipt_number: 1, active: 1, _id: 1 },
    partialFilterExpression: { receipt_number: { $exists: true } },
  },
  {
    name: 'ended',
    keys: { receipt_number: 1, ended_revision: -1 },
    partialFilterExpression: { ended_revision: { $gt: 0 } },
  },
  { name: 'of_user', keys: { 'case.user_id': 1 }, partialFilterExpression: { 'case.user_id': { $gt: 0 } } },
  // Tombstones are kept for 30 days (architecture.md §3).
  { name: 'tombstones', keys: { deleted_at: 1 }, expireAfterSeconds: 30 * 24 * 60 * 60 },
]);

export function createWatchStore(db: Connection) {
  const model = watches(db);
  return {
    async find(caseId: number): Promise<Watch | null> {
      return await model.findById(caseId).lean<Watch>();
    },

    /** The next watches that were active when the change was recorded. One that began later knows it from its beginning. */
    async findConcerned(fanOut: FanOut, limit: number): Promise<Watch[]> {
      const { receipt_number, revision, after_case_id } = fanOut;
      const hadBegun = { begun_revision: { $not: { $gte: revision } } };
      const wasActive = [{ active: true }, { active: false, ended_revision: { $gt: revision } }];
      return await model
        .find({ receipt_number, _id: { $gt: after_case_id }, ...hadBegun, $or: wasActive })
        .sort({ _id: 1 })
        .limit(limit)
        .batchSize(limit)
        .lean<Watch[]>();
    },

    /** The highest revision at which a watch of the receipt ended; 0: none did. */
    async lastEndedRevision(receiptNumber: string): Promise<number> {
      const ended = { receipt_number: receiptNumber, ended_revision: { $gt: 0 } };
      const row = await model
        .findOne(ended, { ended_revision: 1 })
        .sort({ ended_revision: -1 })
        .lean<Watch>();
      return row?.ended_revision ?? 0;
    },

    /** Cases of the user that are watched or were. */
    async someOfUser(userId: number, limit: number): Promise<Watch[]> {
      return await model.find({ 'case.user_id': userId }).limit(limit).lean<Watch[]>();
    },

    async isUsedByOtherCase(receiptNumber: string, caseId: number): Promise<boolean> {
      return (await model.exists({ receipt_number: receiptNumber, _id: { $ne: caseId } })) !== null;
    },

    /** Cases that watch the receipt; without `active` also those that did. */
    async caseIdsOf(receiptNumber: string, filter: { active?: true } = {}): Promise<number[]> {
      const watching = { receipt_number: receiptNumber, ...filter };
      const rows = await model.find(watching, { _id: 1 }).sort({ _id: 1 }).lean();
      return rows.map(({ _id }) => _id);
    },

    /** @throws ConflictError if the watch changed since `former` was read; duplicate key if two processes insert */
    async write(former: Watch | null, next: Watch, session: Session): Promise<void> {
      if (!former) return void (await model.insertMany([next], { session }));
      const { _id, ...fields } = next;
      // A fan-out changes what the watch knows, without a new version.
      const unchanged = { _id, version: former.version, last_observation: former.last_observation };
      confirm(await updateWideRow(model, unchanged, { $set: fields }, { session }), 'watch');
    },

    /** @throws ConflictError if one of the watches began, ended or got an update since it was read */
    async noteLastUpdates(
      known: readonly { watch: Watch; lastUpdate: LaterUpdate }[],
      session: Session,
    ): Promise<void> {
      if (known.length === 0) return;
      const writes = known.map(({ watch: { _id, receipt_number, active }, lastUpdate }) => {
        const last_observation = { $lt: lastUpdate.last_observation };
        const filter = { _id, receipt_number, active, last_observation };
        return { updateOne: { filter, update: { $set: { ...lastUpdate, awaits: null } } } };
      });
      const { matchedCount } = await model.bulkWrite(writes, { session });
      confirm(matchedCount === known.length, 'watch');
    },
  };
}
