import type { Model } from 'mongoose';

/** Deletes up to `limit` rows of a partner. Returns how many. */
export async function removeSomeOf<Row extends { partner_id: number | null }>(
  rows: Model<Row>,
  partnerId: number,
  limit: number,
): Promise<number> {
  const model = rows as unknown as Model<{ partner_id: number | null }>;
  const some = await model
    .find({ partner_id: partnerId }, { _id: 1 })
    .limit(limit)
    .lean<{ _id: unknown }[]>();
  if (some.length === 0) return 0;
  const { deletedCount } = await model.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } } as object);
  return deletedCount;
}
