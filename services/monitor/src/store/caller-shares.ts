import { type Connection, collection, isDuplicateKey } from '@casewatch/platform';
import type { Share } from '../domain/shares.ts';

type UsedRow = { _id: string; used: number; expires_at: Date };
type LimitRow = { _id: number; live_checks_per_day: number };

const callerDays = collection<UsedRow>('caller_days', String, [
  { name: 'expiry', keys: { expires_at: 1 }, expireAfterSeconds: 0 },
]);

const callerLimits = collection<LimitRow>('caller_limits', Number);

const keptMs = 8 * 24 * 60 * 60 * 1_000;
const tries = 3;

/** The collections `caller_days` (live checks by caller and day) and `caller_limits` (limits of single partners). */
export function createCallerShareStore(db: Connection) {
  const days = callerDays(db);
  const limits = callerLimits(db);

  async function take(day: string, { account, limit }: Share, at: Date): Promise<boolean> {
    if (limit < 1) return false;
    const _id = `${day}/${account}`;
    for (let i = 0; i < tries; i++) {
      try {
        const $setOnInsert = { expires_at: new Date(at.getTime() + keptMs) };
        await days.updateOne(
          { _id, used: { $lt: limit } },
          { $inc: { used: 1 }, $setOnInsert },
          { upsert: true },
        );
        return true;
      } catch (error) {
        // The row is at its limit, or another process inserted it at this moment.
        if (!isDuplicateKey(error)) throw error;
      }
      const row = await days.findById(_id).lean();
      if (row && row.used >= limit) return false;
    }
    return false;
  }

  async function refund(day: string, shares: readonly Share[]): Promise<void> {
    const ids = shares.map(({ account }) => `${day}/${account}`);
    if (ids.length > 0)
      await days.updateMany({ _id: { $in: ids }, used: { $gt: 0 } }, { $inc: { used: -1 } });
  }

  return {
    /** Charges one check to each share; false, without a charge, if one of them is used. */
    async take(day: string, shares: readonly Share[], at: Date): Promise<boolean> {
      for (const [i, share] of shares.entries()) {
        if (await take(day, share, at)) continue;
        await refund(day, shares.slice(0, i));
        return false;
      }
      return true;
    },

    refund,

    async deleteOfAccount(account: string, quotaDays: readonly string[]): Promise<void> {
      await days.deleteMany({ _id: { $in: quotaDays.map((day) => `${day}/${account}`) } });
    },

    async limitOf(partnerId: number): Promise<number | null> {
      return (await limits.findById(partnerId).lean())?.live_checks_per_day ?? null;
    },

    async setLimit(partnerId: number, perDay: number | null): Promise<void> {
      if (perDay === null) await limits.deleteOne({ _id: partnerId });
      else
        await limits.updateOne(
          { _id: partnerId },
          { $set: { live_checks_per_day: perDay } },
          { upsert: true },
        );
    },
  };
}
