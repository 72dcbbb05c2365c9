import { type Connection, collection, isDuplicateKey } from '@casewatch/platform/database';
import type { Share } from '../domain/shares.ts';

type UsedRow = { _id: string; used: number; expires_at: Date };
type LimitRow = { _id: number; live_checks_per_day: number };

const callerDays = collection<UsedRow>('caller_days', String, [
  { name: 'expiry', keys: { expires_at: 1 }, expireAfterSeconds: 0 },
]);

const callerLimits = collection<LimitRow>('caller_limits', Number);

const keptMs = 8 * 24 * 60 * 60 * 1_000;

export function createCallerShareStore(db: Connection) {
  const days = callerDays(db);
  const limits = callerLimits(db);

  async function take(day: string, { account, limit }: Share, at: Date): Promise<boolean> {
    if (limit < 1) return false;
    const unused = { _id: `${day}/${account}`, used: { $lt: limit } };
    const $inc = { used: 1 };
    const $setOnInsert = { expires_at: new Date(at.getTime() + keptMs) };
    try {
      await days.updateOne(unused, { $inc, $setOnInsert }, { upsert: true });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    // The row is at its limit, or another process inserted it at this moment.
    return (await days.updateOne(unused, { $inc })).matchedCount === 1;
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
