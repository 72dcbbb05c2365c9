import type mongoose from 'mongoose';

/** How handing a mail over to the notifier stands; part of the row that the mail belongs to. */
export type MailDelivery = {
  status: 'queued' | 'sent' | 'failed' | 'skipped';
  attempts: number;
  /** Not before then; also the end of a claim. */
  next_at: Date;
  last_error: string | null;
  sent_at: Date | null;
};

type MailRow = { _id: string; expires_at: Date; delivery: MailDelivery };

/** One mail that this process may hand over until its claim ends. */
export type ClaimedMail = { id: string; attempt: number; expires_at: Date };

export type MailQueue = {
  /** The mail that is due longest; for `leaseMs` nobody else gets it. */
  claim(now: Date, leaseMs: number): Promise<ClaimedMail | null>;
  settle(mail: ClaimedMail, set: Partial<MailDelivery>): Promise<void>;
};

export const mailDeliveryFields = {
  type: { status: String, attempts: Number, next_at: Date, last_error: String, sent_at: Date },
  _id: false,
} as const;

export function newDelivery(status: 'queued' | 'skipped', now: Date): MailDelivery {
  return { status, attempts: 0, next_at: now, last_error: null, sent_at: null };
}

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
    async claim(now, leaseMs) {
      const row = await model
        .findOneAndUpdate(
          { 'delivery.status': 'queued', 'delivery.next_at': { $lte: now } },
          {
            $set: { 'delivery.next_at': new Date(now.getTime() + leaseMs) },
            $inc: { 'delivery.attempts': 1 },
          },
          { sort: { 'delivery.next_at': 1 }, returnDocument: 'after' },
        )
        .lean<MailRow>();
      return row && { id: row._id, attempt: row.delivery.attempts, expires_at: row.expires_at };
    },
    async settle({ id, attempt }, set) {
      const fields = Object.entries(set).map(([key, value]) => [`delivery.${key}`, value]);
      await model.updateOne(
        { _id: id, 'delivery.attempts': attempt, 'delivery.status': 'queued' },
        { $set: Object.fromEntries(fields) },
      );
    },
  };
}
