import { type Connection, collection } from '@casewatch/platform/database';

/** A title outside the status table; `_id` is the title. */
export type UnknownTitle = { _id: string; category: string; count: number; last_seen: Date };

const unknownTitles = collection<UnknownTitle>('unknown_titles', String, [
  { name: 'count', keys: { count: -1 } },
]);

export function createUnknownTitleStore(db: Connection) {
  const model = unknownTitles(db);
  return {
    async note({ title, category, at }: { title: string; category: string; at: Date }): Promise<void> {
      const change = { $inc: { count: 1 }, $set: { category }, $max: { last_seen: at } };
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
