import { type Connection, collection } from '@casewatch/platform/database';

/** A title outside the status table; `_id` is the title. */
export type UnknownTitle = { _id: string; category: string; count: number; last_seen: Date };

const unknownTitles = collection<UnknownTitle>('unknown_titles', String, [
  { name: 'count', keys: { count: -1 } },
  { name: 'expiry', keys: { last_seen: 1 }, expireAfterSeconds: 90 * 24 * 60 * 60 },
]);

/** Titles that are kept. They are text from outside: one with a date or a number in it would be new in each answer. */
const maxTitles = 1_000;

export function createUnknownTitleStore(db: Connection) {
  const model = unknownTitles(db);
  return {
    /** Counts a title. A new one is not kept beyond the limit; several processes in parallel may exceed it by one each. */
    async note({ title, category, at }: { title: string; category: string; at: Date }): Promise<void> {
      const change = { $inc: { count: 1 }, $set: { category }, $max: { last_seen: at } };
      const { matchedCount } = await model.updateOne({ _id: title }, change);
      if (matchedCount > 0 || (await model.estimatedDocumentCount()) >= maxTitles) return;
      await model.updateOne({ _id: title }, change, { upsert: true });
    },

    async count(): Promise<number> {
      return await model.estimatedDocumentCount();
    },

    async list(limit: number): Promise<UnknownTitle[]> {
      return await model.find().sort({ count: -1 }).limit(limit).lean<UnknownTitle[]>();
    },
  };
}
