import { type Connection, collection, isDuplicateKey, type Session } from '@casewatch/platform/database';

/** Credentials that gateways must verify again. `id`: the `_id` of the key, session, user, member of staff or partner. */
export type RevocationTarget = {
  kind: 'key' | 'session' | 'user' | 'staff' | 'partner';
  id: string | number;
};

type Change = { kind: RevocationTarget['kind']; of: string };
/** Row 0 holds the counter `revision` and does not expire, row -1 the time of the last read. The others are revocations. */
type Row = { _id: number; revision?: number; at?: Date; read_at?: Date } & Partial<Change>;
type Head = { revision: number };

const headId = 0;
const readId = -1;
/** A gateway that missed more than a day clears its caches. */
const keepSeconds = 24 * 60 * 60;

const revocations = collection<Row>('revocations', Number, [
  { name: 'expiry', keys: { at: 1 }, expireAfterSeconds: keepSeconds },
]);

/**
 * The revision grows by one with each revocation (architecture.md §4). Every writer changes the counter in its transaction, so
 * a number is visible only after all lower ones.
 */
export function createRevocationStore(db: Connection) {
  const model = revocations(db);

  async function noteRead(): Promise<void> {
    await model.updateOne({ _id: readId }, { $currentDate: { read_at: true } }, { maxTimeMS: 1_000 });
  }

  return {
    async createHead() {
      try {
        await model.updateOne({ _id: headId }, { $setOnInsert: { revision: 0 } }, { upsert: true });
        await model.updateOne({ _id: readId }, { $currentDate: { read_at: true } }, { upsert: true });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    /** Call it last in the transaction: until its end, every other revocation conflicts with it and runs again. */
    async add(tx: Session, { kind, id }: RevocationTarget): Promise<void> {
      const options = { session: tx, returnDocument: 'after' } as const;
      const head = await model
        .findOneAndUpdate({ _id: headId }, { $inc: { revision: 1 } }, options)
        .orFail()
        .lean<Head>();
      const row = { $set: { kind, of: String(id) }, $currentDate: { at: true } };
      await model.updateOne({ _id: head.revision }, row, { session: tx, upsert: true });
    },
    /**
     * A linearizable read: a deposed primary cannot answer with an old revision. It waits for the next journal sync; the write
     * beside it starts one. That takes 2 ms in place of 75, and mongod half of the CPU.
     */
    async revision(): Promise<number> {
      const reading = model
        .findById(headId)
        .read('primary')
        .readConcern('linearizable')
        .maxTimeMS(1_000)
        .orFail()
        .lean<Head>();
      const [head] = await Promise.all([reading, noteRead()]);
      return head.revision;
    },
    async between(since: number, revision: number): Promise<Change[]> {
      return await model
        .find({ _id: { $gt: since, $lte: revision } })
        .sort({ _id: 1 })
        .lean<Change[]>();
    },
  };
}
