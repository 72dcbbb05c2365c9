import { type Connection, isDuplicateKey, type Session } from '@casewatch/platform';
import mongoose from 'mongoose';

/** What nobody is to trust any more without asking anew; `id` is the row's `_id`. */
export type RevocationTarget = { kind: 'key' | 'session' | 'user' | 'partner'; id: string | number };

type Change = { kind: RevocationTarget['kind']; of: string };
/** Row 0 holds the counter, `revision`; it has no `at` and so does not expire. The others are changes. */
type Row = { _id: number; revision?: number; at?: Date } & Partial<Change>;
type Head = { revision: number };

const headId = 0;
/** Rows are for gateways that missed something; one that missed more than a day of it forgets all that it knew. */
const keepSeconds = 24 * 60 * 60;
/** How long the question for the revision may take in the database, ms. */
const maxReadMs = 1_000;

const schema = new mongoose.Schema<Row>(
  { _id: Number, kind: String, of: String, at: Date, revision: Number },
  { versionKey: false, id: false, collection: 'revocations' },
);
schema.index({ at: 1 }, { name: 'expiry', expireAfterSeconds: keepSeconds });

/**
 * The one revision that grows with each revocation (architecture.md §4): rows are numbered without a gap, and a number
 * is visible only once all lower ones are, because every writer changes the counter in its own transaction.
 */
export function createRevocationStore(db: Connection) {
  const model = db.model<Row>('revocations', schema);
  return {
    /** Creates the row that counts revocations; many replicas may do so at once. */
    async createHead() {
      try {
        await model.updateOne({ _id: headId }, { $setOnInsert: { revision: 0 } }, { upsert: true });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    /**
     * Notes that what gateways remember of this is no longer true, in the transaction that makes it so. Best called last in
     * it: until the transaction ends, every other revocation conflicts with it and is tried again.
     */
    async add(tx: Session, { kind, id }: RevocationTarget): Promise<void> {
      const options = { session: tx, returnDocument: 'after' } as const;
      const head = await model
        .findOneAndUpdate({ _id: headId }, { $inc: { revision: 1 } }, options)
        .orFail()
        .lean<Head>();
      // The database's clock, as for all that expires there.
      const row = { $set: { kind, of: String(id) }, $currentDate: { at: true } };
      await model.updateOne({ _id: head.revision }, row, { session: tx, upsert: true });
    },
    /** The present revision; no replica set member that was deposed meanwhile can answer with an older one. */
    async revision(): Promise<number> {
      const head = await model
        .findById(headId)
        .read('primary')
        .readConcern('linearizable')
        .maxTimeMS(maxReadMs)
        .orFail()
        .lean<Head>();
      return head.revision;
    },
    /** The rows after `since` up to `revision`, oldest first. */
    async between(since: number, revision: number): Promise<Change[]> {
      return await model
        .find({ _id: { $gt: since, $lte: revision } })
        .sort({ _id: 1 })
        .lean<Change[]>();
    },
  };
}
