import { type Connection, collection, retryOnDuplicate, type Session } from '@casewatch/platform/database';
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

  async function refund(day: string, shares: readonly Share[]): Promise<void> {
    const ids = shares.map(({ account }) => `${day}/${account}`);
    await days.updateMany({ _id: { $in: ids } }, { $inc: { used: -1 } });
  }

  return {
    /** Charges one check to each share; false, without a charge, if one of them is used. */
    async take(day: string, shares: readonly Share[], at: Date): Promise<boolean> {
      const expires_at = new Date(at.getTime() + keptMs);
      const change = { $inc: { used: 1 }, $setOnInsert: { expires_at } };
      const options = { upsert: true, returnDocument: 'after' } as const;
      for (const [i, { account, limit }] of shares.entries()) {
        const _id = `${day}/${account}`;
        const row = await retryOnDuplicate(() => days.findOneAndUpdate({ _id }, change, options).lean());
        if (row && row.used <= limit) continue;
        await refund(day, shares.slice(0, i + 1));
        return false;
      }
      return true;
    },

    refund,

    async deleteOfAccount(account: string): Promise<void> {
      await days.deleteMany({ _id: { $regex: `^[^/]*/${account}$` } });
    },

    async limitOf(partnerId: number): Promise<number | null> {
      return (await limits.findById(partnerId).lean())?.live_checks_per_day ?? null;
    },

    async setLimit(partnerId: number, perDay: number | null, tx: Session | null = null): Promise<void> {
      const change = { $set: { live_checks_per_day: perDay ?? 0 } };
      const inside = tx && { session: tx };
      if (perDay === null) await limits.deleteOne({ _id: partnerId }, { ...inside });
      else await limits.updateOne({ _id: partnerId }, change, { upsert: true, ...inside });
    },
  };
}
