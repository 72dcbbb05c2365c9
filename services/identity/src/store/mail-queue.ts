import { databaseTime, databaseTimeIn, hasPassed } from '@casewatch/platform';
import type mongoose from 'mongoose';

/** How handing a mail over to the notifier stands; part of the row that the mail belongs to. */
export type MailDelivery = {
  status: 'queued' | 'sent' | 'failed' | 'skipped';
  attempts: number;
  /** Not before then; also the end of a claim. On the database's clock. */
  next_at: Date;
  last_error: string | null;
  sent_at: Date | null;
};

type MailRow = { _id: string; expires_at: Date; delivery: MailDelivery };

/** One mail that this process may hand over until its claim ends. */
export type ClaimedMail = { id: string; attempt: number; expires_at: Date };

export type MailQueue = {
  /** Of a mail that is to be inserted: due at once, or at what `dueAt` makes of the database's time. */
  newDelivery(dueAt?: (now: Date) => Date): Promise<MailDelivery>;
  /** The mail that is due longest; for `leaseMs` nobody else gets it. */
  claim(leaseMs: number): Promise<ClaimedMail | null>;
  settle(mail: ClaimedMail, set: Partial<Omit<MailDelivery, 'next_at'>>): Promise<void>;
  /** Ends a claim; the mail is due again in `dueInMs`. */
  retryIn(mail: ClaimedMail, dueInMs: number, reason: string): Promise<void>;
};

export const mailDeliveryFields = {
  type: { status: String, attempts: Number, next_at: Date, last_error: String, sent_at: Date },
  _id: false,
} as const;

/** Only rows whose mail still waits are in it. */
export function addQueueIndex<Row>(schema: mongoose.Schema<Row>): void {
  schema.index(
    { 'delivery.next_at': 1 },
    { name: 'mail_queue', partialFilterExpression: { 'delivery.status': 'queued' } },
  );
}

/** The mails of one collection. `attempts` is the fence: who lost the claim settles nothing. */
export function createMailQueue<Row extends MailRow>(rows: mongoose.Model<Row>): MailQueue {
  const model = rows as unknown as mongoose.Model<MailRow>;
  return {
    async newDelivery(dueAt = (now) => now) {
      const next_at = dueAt(await databaseTime(model.db));
      return { status: 'queued', attempts: 0, next_at, last_error: null, sent_at: null };
    },
    async claim(leaseMs) {
      const claimed = {
        'delivery.next_at': databaseTimeIn(leaseMs),
        'delivery.attempts': { $add: ['$delivery.attempts', 1] },
      };
      const row = await model
        .findOneAndUpdate(
          { 'delivery.status': 'queued', ...hasPassed('delivery.next_at') },
          [{ $set: claimed }],
          {
            sort: { 'delivery.next_at': 1 },
            returnDocument: 'after',
            updatePipeline: true,
          },
        )
        .lean<MailRow>();
      return row && { id: row._id, attempt: row.delivery.attempts, expires_at: row.expires_at };
    },
    async settle(mail, set) {
      const fields = Object.entries(set).map(([key, value]) => [`delivery.${key}`, value]);
      await model.updateOne(claimOf(mail), { $set: Object.fromEntries(fields) });
    },
    async retryIn(mail, dueInMs, reason) {
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
