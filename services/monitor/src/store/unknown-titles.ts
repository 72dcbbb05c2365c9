import type { Connection } from '@casewatch/platform';
import mongoose from 'mongoose';

/** A title outside the status table; `_id` is the title. */
export type UnknownTitle = {
  _id: string;
  category: string;
  count: number;
  first_seen: Date;
  last_seen: Date;
};

const schema = new mongoose.Schema<UnknownTitle>(
  { _id: String, category: String, count: Number, first_seen: Date, last_seen: Date },
  { versionKey: false, id: false, collection: 'unknown_titles' },
);
schema.index({ count: -1 }, { name: 'count' });

/** The collection `unknown_titles`: candidates for the status table. */
export function createUnknownTitleStore(db: Connection) {
  const model = db.model<UnknownTitle>('unknown_titles', schema);
  return {
    async note({ title, category, at }: { title: string; category: string; at: Date }): Promise<void> {
      await model.updateOne(
        { _id: title },
        { $inc: { count: 1 }, $set: { category }, $max: { last_seen: at }, $min: { first_seen: at } },
        { upsert: true },
      );
    },

    async list(limit: number): Promise<UnknownTitle[]> {
      return await model.find().sort({ count: -1 }).limit(limit).lean<UnknownTitle[]>();
    },
  };
}
