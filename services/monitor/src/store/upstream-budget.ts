import { type Connection, collection } from '@casewatch/platform';
import { interactiveLimits, type Priority, type Quota } from '../domain/quota.ts';

type BudgetRow = {
  _id: string;
  interactive: number;
  background: number;
};

const upstreamBudget = collection<BudgetRow>('upstream_budget', String);

/** `kept`: part of the day that is left, 0 to 1. */
type Reservation = { priority: Priority; count: number; kept: number };

export type BudgetStore = ReturnType<typeof createBudgetStore>;

/** The collection `upstream_budget`: requests of each quota day, counted before they are sent. */
export function createBudgetStore(db: Connection) {
  const model = upstreamBudget(db);
  const used = {
    interactive: { $ifNull: ['$interactive', 0] },
    background: { $ifNull: ['$background', 0] },
  };
  const total = { $add: [used.interactive, used.background] };

  /** As `reservedFor` and `quotaUseOf` of domain/quota.ts. */
  function limitsOf(quota: Quota, { priority, count, kept }: Reservation) {
    const { daily } = quota;
    const { share, most } = interactiveLimits(quota);
    if (priority === 'background') {
      const unused = { $max: [0, { $subtract: [share, used.interactive] }] };
      const reserved = { $add: [used.interactive, { $ceil: { $multiply: [unused, kept] } }] };
      return [{ $lte: [{ $add: [used.background, count, reserved] }, daily] }];
    }
    return [
      { $lte: [{ $add: [used.interactive, count] }, most] },
      { $lte: [{ $add: [total, count] }, daily] },
    ];
  }

  async function makeRow(day: string) {
    const fresh = { $setOnInsert: { interactive: 0, background: 0 } };
    return await model.updateOne({ _id: day }, fresh, { upsert: true });
  }

  return {
    async reserve(day: string, quota: Quota, reservation: Reservation): Promise<boolean> {
      const { priority, count } = reservation;
      // MongoDB allows no $expr in an upsert, so a missing row is inserted first.
      const reserveOnce = () =>
        model.updateOne(
          { _id: day, $expr: { $and: limitsOf(quota, reservation) } },
          { $inc: { [priority]: count } },
        );
      if ((await reserveOnce()).modifiedCount === 1) return true;
      const { upsertedCount } = await makeRow(day);
      return upsertedCount === 1 && (await reserveOnce()).modifiedCount === 1;
    },

    async release(day: string, priority: Priority, count: number): Promise<void> {
      await model.updateOne({ _id: day }, { $inc: { [priority]: -count } });
    },

    async read(day: string): Promise<Record<Priority, number>> {
      const row = await model.findById(day).lean<Partial<BudgetRow>>();
      return { interactive: row?.interactive ?? 0, background: row?.background ?? 0 };
    },
  };
}
