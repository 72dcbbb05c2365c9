import type { EndpointStage } from '@casewatch/contracts';
import { type Connection, type Session, updateRows } from '@casewatch/platform/database';
import type { Failing, Notice } from '../domain/disabling.ts';
import { anyTime, type WebhookRow, webhooks } from './webhooks.ts';

export type Success = { webhookId: number; at: Date; status: number };
export type Failure = { webhookId: number; at: Date; status: number | null; error: string };
export type Disabling = { at: Date; reason: string; failingSince?: Date };

export type FailingRow = Omit<WebhookRow, keyof Failing> & Failing;
export type NoticedRow = WebhookRow & { notice: Notice };

const noticesAtOnce = 100;

export function createWebhookHealthStore(db: Connection) {
  const model = webhooks(db);
  return {
    ...resultQueries(model),
    ...noticeQueries(model),
    /** Null if the endpoint is inactive or deleted, or does not fail since `failingSince` any more. */
    async disable(session: Session, id: number, { at, reason, failingSince }: Disabling) {
      const since = { $ifNull: ['$failing_since', at] };
      const disabled = {
        active: false,
        disabled_at: at,
        disabled_reason: { $literal: reason },
        updated_at: at,
        notice: { stage: 'disabled', since, at, mailed: false },
      };
      return await model
        .findOneAndUpdate(
          { _id: id, active: true, ...(failingSince && { failing_since: failingSince }) },
          [{ $set: disabled }],
          { session, returnDocument: 'after', updatePipeline: true },
        )
        .lean<WebhookRow>();
    },
    async count(): Promise<{ failing: number; disabled: number }> {
      const [failing, disabled] = await Promise.all([
        model.countDocuments({ failing_since: anyTime, active: true }),
        model.countDocuments({ disabled_at: anyTime }),
      ]);
      return { failing, disabled };
    },
    /** Of a partner: those that fail, and those that were disabled since then; longest first. */
    async failingOf(partnerId: number, disabledSince: Date, limit: number): Promise<WebhookRow[]> {
      const states = [{ failing_since: anyTime, active: true }, { disabled_at: { $gte: disabledSince } }];
      return await model
        .find({ partner_id: partnerId, $or: states })
        .sort({ failing_since: 1, _id: 1 })
        .limit(limit)
        .lean<WebhookRow[]>();
    },
    async failingLongest(limit: number): Promise<FailingRow[]> {
      return await model
        .find({ failing_since: anyTime, active: true })
        .sort({ failing_since: 1 })
        .limit(limit)
        .lean<FailingRow[]>();
    },
  };
}

type WebhookModel = ReturnType<typeof webhooks>;

function resultQueries(model: WebhookModel) {
  return {
    async recordSuccesses(successes: readonly Success[]) {
      const healthy = { failing_since: null, failures: 0, last_failure_at: null, last_error: null };
      const updates = successes.map(({ webhookId, at, status }) => {
        const $set = { last_delivery_at: at, last_status: status, ...healthy };
        return { updateOne: { filter: { _id: webhookId }, update: { $set } } };
      });
      await updateRows(model, updates);
    },
    async recordFailures(failures: readonly Failure[], session?: Session) {
      const updates = failures.map(({ webhookId, at, status, error }) => {
        const failed = {
          last_delivery_at: at,
          last_status: status,
          last_error: { $literal: error },
          last_failure_at: '$$NOW',
          failures: { $add: ['$failures', 1] },
          failing_since: { $ifNull: ['$failing_since', at] },
        };
        return { updateOne: { filter: { _id: webhookId }, update: [{ $set: failed }] } };
      });
      await updateRows(model, updates, session && { session });
    },
  };
}

function noticeQueries(model: WebhookModel) {
  return {
    async failingSinceBefore(time: Date): Promise<FailingRow[]> {
      return await model
        .find({ failing_since: { ...anyTime, $lte: time }, active: true, last_failure_at: { $ne: null } })
        .lean<FailingRow[]>();
    },
    /** Changes nothing if the failures have ended. False if another replica was first. */
    async addNotice(
      { _id, failing_since, last_delivery_at }: FailingRow,
      stage: EndpointStage,
    ): Promise<boolean> {
      const notice: Notice = { stage, since: failing_since, at: last_delivery_at, mailed: false };
      const unchanged = { _id, active: true, failing_since };
      const isOther = {
        $or: [{ 'notice.stage': { $ne: stage } }, { 'notice.since': { $ne: failing_since } }],
      };
      const { modifiedCount } = await model.updateOne({ ...unchanged, ...isOther }, { $set: { notice } });
      return modifiedCount === 1;
    },
    async notMailed(): Promise<NoticedRow[]> {
      return await model.find({ 'notice.mailed': false }).limit(noticesAtOnce).lean<NoticedRow[]>();
    },
    async markMailed({ _id, notice: { stage, since } }: NoticedRow) {
      const filter = { _id, 'notice.stage': stage, 'notice.since': since };
      await model.updateOne(filter, { $set: { 'notice.mailed': true } });
    },
  };
}
