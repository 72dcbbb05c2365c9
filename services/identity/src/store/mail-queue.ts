import { type CallContext, rowContext } from '@casewatch/platform';
import { databaseTime, databaseTimeIn, hasPassed } from '@casewatch/platform/database';
import type mongoose from 'mongoose';

/** The queues of mails; each has a signal for a new row. */
export type MailSignal =
  | 'loginCodes'
  | 'addressRequests'
  | 'changeMails'
  | 'verificationMails'
  | 'verificationReminders'
  | 'undoMails'
  | 'invitations'
  | 'staffNotices'
  | 'replyToMails'
  | 'welcomes';

export type MailDelivery = {
  status: 'queued' | 'sent' | 'failed' | 'skipped';
  attempts: number;
  /** When the mail is due, and when a claim ends; by the database's clock. */
  next_at: Date;
  last_error: string | null;
  sent_at: Date | null;
  /** Of the request that queued the mail. */
  request_id: string;
  traceparent: string;
};

type UnionPipeline = Exclude<
  mongoose.PipelineStage,
  mongoose.PipelineStage.Merge | mongoose.PipelineStage.Out
>[];

type MailRow = { _id: string; created_at: Date; expires_at: Date; delivery: MailDelivery };

export type ClaimedMail = { id: string; attempt: number; expires_at: Date } & Pick<
  CallContext,
  'request_id' | 'traceparent'
>;

export type MailQueue = ReturnType<typeof createMailQueue>;

export const mailQueueIndex = {
  name: 'mail_queue',
  keys: { 'delivery.next_at': 1 },
  partialFilterExpression: { 'delivery.status': 'queued' },
} as const;

const due = { 'delivery.status': 'queued' as const, ...hasPassed('delivery.next_at') };

/** The mails of one collection. `attempts` is the fence: a write after a lost claim changes nothing. */
export function createMailQueue<Row extends MailRow>(rows: mongoose.Model<Row>) {
  const model = rows as unknown as mongoose.Model<MailRow>;
  return {
    model,
    /** `dueAt` gets the database's time; default: due now. */
    async newDelivery(dueAt = (now: Date) => now): Promise<MailDelivery> {
      const next_at = dueAt(await databaseTime(model.db));
      return { status: 'queued', attempts: 0, next_at, last_error: null, sent_at: null, ...rowContext() };
    },
    /** The mail that has been due longest. No other replica gets it for `leaseMs`. */
    async claim(leaseMs: number): Promise<ClaimedMail | null> {
      const claimed = {
        'delivery.next_at': databaseTimeIn(leaseMs),
        'delivery.attempts': { $add: ['$delivery.attempts', 1] },
      };
      const row = await model
        .findOneAndUpdate(due, [{ $set: claimed }], {
          sort: { 'delivery.next_at': 1 },
          returnDocument: 'after',
          updatePipeline: true,
        })
        .lean<MailRow>();
      if (row === null) return null;
      const { attempts, request_id, traceparent } = row.delivery;
      return { id: row._id, attempt: attempts, expires_at: row.expires_at, request_id, traceparent };
    },
    async finish(mail: ClaimedMail, set: Partial<Omit<MailDelivery, 'next_at'>>) {
      const fields = Object.entries(set).map(([key, value]) => [`delivery.${key}`, value]);
      await model.updateOne(claimOf(mail), { $set: Object.fromEntries(fields) });
    },
    /** Makes the mail due later, as if it had been queued for then: nobody waits for it. */
    async postpone(mail: ClaimedMail, byMs: number) {
      const set = {
        'delivery.next_at': databaseTimeIn(byMs),
        created_at: databaseTimeIn(byMs),
        expires_at: { $add: ['$expires_at', byMs] },
      };
      await model.updateOne(claimOf(mail), [{ $set: set }], { updatePipeline: true });
    },
    async retryIn(mail: ClaimedMail, dueInMs: number, reason: string) {
      const set = {
        'delivery.next_at': databaseTimeIn(dueInMs),
        'delivery.last_error': { $literal: reason },
      };
      await model.updateOne(claimOf(mail), [{ $set: set }], { updatePipeline: true });
    },
  };
}

function claimOf({ id, attempt }: ClaimedMail) {
  return { _id: id, 'delivery.attempts': attempt, 'delivery.status': 'queued' } as const;
}

/** The names of the queues that have a due mail: one command for all of them. */
export async function queuesWithDueMails<Name extends string>(
  queues: Readonly<Record<Name, MailQueue>>,
): Promise<Name[]> {
  const found = await fromEach<Name, { name: Name }>(queues, (name) => [
    { $match: due },
    { $limit: 1 },
    { $project: { _id: 0, name: { $literal: name } } },
  ]);
  return found.map(({ name }) => name);
}

/** Age of the oldest queued mail of each queue, s; 0 without one. One command for all of them. */
export async function agesOfQueuedMails<Name extends string>(
  queues: Readonly<Record<Name, MailQueue>>,
): Promise<Map<Name, number>> {
  const seconds = { $dateDiff: { startDate: '$oldest', endDate: '$$NOW', unit: 'second' as const } };
  const found = await fromEach<Name, { name: Name; seconds: number }>(queues, (name) => [
    { $match: { 'delivery.status': 'queued', 'delivery.next_at': { $gt: new Date(0) } } },
    { $group: { _id: null, oldest: { $min: '$created_at' } } },
    { $project: { _id: 0, name: { $literal: name }, seconds } },
  ]);
  const ages = new Map(Object.keys(queues).map((name) => [name as Name, 0]));
  for (const { name, seconds } of found) ages.set(name, Math.max(0, seconds));
  return ages;
}

async function fromEach<Name extends string, Found>(
  queues: Readonly<Record<Name, MailQueue>>,
  pipelineOf: (name: Name) => UnionPipeline,
): Promise<Found[]> {
  const parts = Object.entries<MailQueue>(queues).map(([name, { model }]) => ({
    model,
    pipeline: pipelineOf(name as Name),
  }));
  const [first, ...others] = parts;
  if (!first) return [];
  const unions = others.map(({ model, pipeline }) => ({
    $unionWith: { coll: model.collection.collectionName, pipeline },
  }));
  return await first.model.aggregate<Found>([...first.pipeline, ...unions]);
}
