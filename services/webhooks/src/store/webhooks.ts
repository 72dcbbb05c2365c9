import type { WebhookEventFilter } from '@casewatch/contracts';
import { type Connection, collection, type Position, type Session } from '@casewatch/platform';

/** An endpoint. Secrets and header values are encrypted. */
export type WebhookRow = {
  _id: number;
  partner_id: number;
  url: string;
  events: WebhookEventFilter[];
  description: string;
  active: boolean;
  headers: { name: string; sealed: string }[];
  rate_limit: number;
  /** Each secret signs until `ends_at`. */
  secrets: { sealed: string; ends_at: Date | null }[];
  created_at: Date;
  updated_at: Date;
  last_delivery_at: Date | null;
  last_status: number | null;
  failing_since: Date | null;
  /** Failed attempts since the last success. */
  failures: number;
  /** On the database's clock. */
  last_failure_at: Date | null;
  disabled_at: Date | null;
  disabled_reason: string | null;
};

const webhooks = collection<WebhookRow>('webhooks', Number, [
  { name: 'of_partner', keys: { partner_id: 1, created_at: -1, _id: -1 } },
]);

export type WebhookChange = Partial<Omit<WebhookRow, '_id' | 'partner_id' | 'secrets' | 'created_at'>>;

type Page = { partnerId: number; active?: boolean | undefined; limit: number; after: Position | null };

export type WebhookStore = ReturnType<typeof createWebhookStore>;

export function createWebhookStore(db: Connection) {
  const model = webhooks(db);
  return {
    ...sealQueries(model),
    ...healthQueries(model),
    async insert(session: Session, row: WebhookRow) {
      await model.insertMany([row], { session });
    },
    async findAll(ids: readonly number[]): Promise<WebhookRow[]> {
      return await model.find({ _id: { $in: ids } }).lean();
    },
    async ofPartners(partnerIds: readonly number[]): Promise<WebhookRow[]> {
      return await model.find({ partner_id: { $in: partnerIds } }).lean();
    },
    async findOf(partnerId: number, id: number): Promise<WebhookRow | null> {
      return await model.findOne({ _id: id, partner_id: partnerId }).lean();
    },
    async page({ partnerId, active, limit, after }: Page): Promise<WebhookRow[]> {
      return await model
        .find({
          partner_id: partnerId,
          ...(active !== undefined && { active }),
          ...(after && rowsAfter(after)),
        })
        .sort({ created_at: -1, _id: -1 })
        .limit(limit)
        .lean();
    },
    async update(
      session: Session,
      partnerId: number,
      { id, change }: { id: number; change: WebhookChange },
    ): Promise<WebhookRow | null> {
      const options = { session, returnDocument: 'after' } as const;
      return await model
        .findOneAndUpdate({ _id: id, partner_id: partnerId }, { $set: change }, options)
        .lean();
    },
    async remove(session: Session, partnerId: number, id: number): Promise<boolean> {
      const { deletedCount } = await model.deleteOne({ _id: id, partner_id: partnerId }, { session });
      return deletedCount === 1;
    },
    /** Ids of the partner's active endpoints with one of these filters. */
    async subscribed(session: Session, partnerId: number, filters: WebhookEventFilter[]): Promise<number[]> {
      const rows = await model
        .find({ partner_id: partnerId, active: true, events: { $in: filters } })
        .select({ _id: 1 })
        .session(session)
        .lean();
      return rows.map((row) => row._id);
    },
  };
}

export type Success = { webhookId: number; at: Date; status: number };
export type Failure = { webhookId: number; at: Date; status: number | null };

type WebhookModel = ReturnType<typeof webhooks>;

function sealQueries(model: WebhookModel) {
  return {
    /** An endpoint with a value that was sealed with another key. */
    async findSealedOtherwise(prefix: string): Promise<WebhookRow | null> {
      const elsewhere = { $elemMatch: { sealed: { $not: new RegExp(`^${prefix.replaceAll('.', '\\.')}`) } } };
      return await model.findOne({ $or: [{ secrets: elsewhere }, { headers: elsewhere }] }).lean();
    },
    /** False if secrets or headers have changed since `row` was read. */
    async replaceSealed(row: WebhookRow, change: Pick<WebhookRow, 'secrets' | 'headers'>): Promise<boolean> {
      // Sealed texts are unique, so equal texts mean no change.
      const same = (list: { sealed: string }[]) => ({
        $size: list.length,
        ...(list.length > 0 && { $all: list.map(({ sealed }) => ({ $elemMatch: { sealed } })) }),
      });
      const unchanged = { _id: row._id, secrets: same(row.secrets), headers: same(row.headers) };
      const { matchedCount } = await model.updateOne(unchanged, { $set: change });
      return matchedCount === 1;
    },
  };
}

function healthQueries(model: WebhookModel) {
  return {
    async recordSuccesses(successes: readonly Success[]) {
      const healthy = { failing_since: null, failures: 0, last_failure_at: null };
      const writes = successes.map(({ webhookId, at, status }) => {
        const $set = { last_delivery_at: at, last_status: status, ...healthy };
        return { updateOne: { filter: { _id: webhookId }, update: { $set } } };
      });
      await model.bulkWrite(writes, { ordered: false });
    },
    async recordFailures(failures: readonly Failure[]) {
      const writes = failures.map(({ webhookId, at, status }) => {
        const failed = {
          last_delivery_at: at,
          last_status: status,
          last_failure_at: '$$NOW',
          failures: { $add: ['$failures', 1] },
          failing_since: { $ifNull: ['$failing_since', at] },
        };
        return { updateOne: { filter: { _id: webhookId }, update: [{ $set: failed }] } };
      });
      await model.bulkWrite(writes, { ordered: false });
    },
    /** Null if the endpoint is inactive or deleted. */
    async disable(session: Session, id: number, at: Date, reason: string): Promise<WebhookRow | null> {
      return await model
        .findOneAndUpdate(
          { _id: id, active: true },
          { $set: { active: false, disabled_at: at, disabled_reason: reason, updated_at: at } },
          { session, returnDocument: 'after' },
        )
        .lean();
    },
  };
}

function rowsAfter([createdAt, id]: Position) {
  const created_at = new Date(Number(createdAt));
  return { $or: [{ created_at: { $lt: created_at } }, { created_at, _id: { $lt: id } }] };
}
