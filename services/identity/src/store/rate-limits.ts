import { type Connection, collection, isDuplicateKey, type Session } from '@casewatch/platform/database';

/** Recent uses of one limit. `_id` holds a keyed hash, never an address. */
type RateLimitRow = { _id: string; hits: Date[]; allowed: boolean; expires_at: Date };

export type Limit = { max: number; windowMs: number };

const rateLimits = collection<RateLimitRow>('rate_limits', String, [
  { name: 'expiry', keys: { expires_at: 1 }, expireAfterSeconds: 0 },
]);

export function createRateLimitStore(db: Connection) {
  const model = rateLimits(db);

  async function hit(key: string, limit: Limit, now: Date, tx: Session | null): Promise<RateLimitRow> {
    const since = new Date(now.getTime() - limit.windowMs);
    const recent = { $filter: { input: { $ifNull: ['$hits', []] }, cond: { $gt: ['$$this', since] } } };
    try {
      return await model
        .findOneAndUpdate(
          { _id: key },
          [
            { $set: { hits: recent } },
            { $set: { allowed: { $lt: [{ $size: '$hits' }, limit.max] } } },
            {
              $set: {
                hits: { $cond: ['$allowed', { $concatArrays: ['$hits', [now]] }, '$hits'] },
                expires_at: new Date(now.getTime() + limit.windowMs),
              },
            },
          ],
          { upsert: true, returnDocument: 'after', updatePipeline: true, session: tx },
        )
        .orFail()
        .lean<RateLimitRow>();
    } catch (error) {
      // A concurrent upsert created the row. In a transaction the two conflict, and the transaction runs again.
      if (tx === null && isDuplicateKey(error)) return await hit(key, limit, now, tx);
      throw error;
    }
  }

  return {
    /** Counts a use if it is allowed: null. Else returns when the next use is allowed. */
    async take(key: string, limit: Limit, now: Date, tx: Session | null = null): Promise<Date | null> {
      const row = await hit(key, limit, now, tx);
      if (row.allowed) return null;
      const oldest = row.hits.at(-limit.max) ?? now;
      return new Date(oldest.getTime() + limit.windowMs);
    },
    /** Removes the use that the transaction has counted last: nobody else writes the row meanwhile. */
    async giveBack(key: string, tx: Session): Promise<void> {
      await model.updateOne({ _id: key }, { $pop: { hits: 1 } }, { session: tx });
    },
  };
}
