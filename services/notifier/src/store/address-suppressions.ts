import { type Connection, collection, databaseTimeIn, type Session } from '@casewatch/platform/database';
import type { AddressReason, AddressSuppression } from '../domain/suppression.ts';

/** Without the address or the user: it is kept when the user is erased. */
type Row = AddressSuppression & {
  /** Keyed hash of channel and address. */
  _id: string;
  /** Null: for good. */
  until: Date | null;
};

const suppressions = collection<Row>('address_suppressions', String, [
  { name: 'until', keys: { until: 1 }, expireAfterSeconds: 0 },
]);

const dayMs = 24 * 60 * 60 * 1000;
/** Stronger reasons are kept: a bounce does not replace the wish of a person. */
const ranks: Record<AddressReason, number> = { hard_bounce: 0, complaint: 1, opt_out: 2 };

export function createAddressSuppressionStore(db: Connection) {
  const model = suppressions(db);
  return {
    async add(
      hash: string,
      { reason, days }: { reason: AddressReason; days: number | null },
      session: Session | null = null,
    ): Promise<void> {
      const rank = { $ifNull: ['$rank', -1] };
      const until = days === null ? null : databaseTimeIn(days * dayMs);
      const fields = { reason, at: '$$NOW', until, rank: ranks[reason] };
      const change = [
        { $replaceWith: { $cond: [{ $lte: [rank, ranks[reason]] }, { _id: '$_id', ...fields }, '$$ROOT'] } },
      ];
      const options = { upsert: true, updatePipeline: true, ...(session && { session }) };
      await model.updateOne({ _id: hash }, change, options);
    },

    async findAll(
      hashes: readonly string[],
      session: Session | null = null,
    ): Promise<Map<string, AddressSuppression>> {
      const rows = await model
        .find({ _id: { $in: [...hashes] } })
        .session(session)
        .lean<Row[]>();
      return new Map(rows.map((row) => [row._id, row]));
    },

    /** `reasons`: only suppressions for these. */
    async remove(hashes: readonly string[], reasons: readonly AddressReason[]): Promise<number> {
      const filter = { _id: { $in: [...hashes] }, reason: { $in: [...reasons] } };
      return (await model.deleteMany(filter)).deletedCount;
    },
  };
}
