import type { WebhookEventFilter } from '@casewatch/contracts';
import type { Position } from '@casewatch/platform';
import { type Connection, collection, type Session } from '@casewatch/platform/database';
import type { Notice } from '../domain/disabling.ts';

/** Secrets and values of headers are encrypted. */
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
  /** Error class of the last attempt; null after a success. */
  last_error: string | null;
  /** What the owner is told about the failures. */
  notice: Notice | null;
  disabled_at: Date | null;
  disabled_reason: string | null;
};

/** Matches the rows of the indexes `failing` and `disabled`. */
export const anyTime = { $gt: new Date(0) };

export const webhooks = collection<WebhookRow>('webhooks', Number, [
  { name: 'of_partner', keys: { partner_id: 1, created_at: -1, _id: -1 } },
  { name: 'failing', keys: { failing_since: 1 }, partialFilterExpression: { failing_since: anyTime } },
  { name: 'disabled', keys: { disabled_at: 1 }, partialFilterExpression: { disabled_at: anyTime } },
  { name: 'not_mailed', keys: { 'notice.mailed': 1 }, partialFilterExpression: { 'notice.mailed': false } },
]);

export type WebhookChange = Partial<Omit<WebhookRow, '_id' | 'partner_id' | 'secrets' | 'created_at'>>;

type Page = { partnerId: number; active?: boolean | undefined; limit: number; after: Position | null };

export type WebhookStore = ReturnType<typeof createWebhookStore>;

export function createWebhookStore(db: Connection) {
  const model = webhooks(db);
  return {
    ...sealQueries(model),
    async insert(session: Session, row: WebhookRow) {
      await model.insertMany([row], { session });
    },
    async findAll(ids: readonly number[]): Promise<WebhookRow[]> {
      return await model.find({ _id: { $in: ids } }).lean();
    },
    async ofPartners(partnerIds: readonly number[]): Promise<WebhookRow[]> {
      return await model.find({ partner_id: { $in: partnerIds } }).lean();
    },
    async findOf(partnerId: number, id: number, session?: Session): Promise<WebhookRow | null> {
      return await model
        .findOne({ _id: id, partner_id: partnerId })
        .session(session ?? null)
        .lean();
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

type WebhookModel = ReturnType<typeof webhooks>;

function sealQueries(model: WebhookModel) {
  return {
    async replaceSecrets(session: Session, { _id, secrets, updated_at }: WebhookRow) {
      await model.updateOne({ _id }, { $set: { secrets, updated_at } }, { session });
    },
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

function rowsAfter([createdAt, id]: Position) {
  const created_at = new Date(Number(createdAt));
  return { $or: [{ created_at: { $lt: created_at } }, { created_at, _id: { $lt: id } }] };
}
