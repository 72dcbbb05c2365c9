import { type Connection, collection, type Session } from '@casewatch/platform/database';
import { createMailQueue, type MailDelivery, mailQueueIndex } from './mail-queue.ts';
import { removeSomeOf } from './remove-some.ts';

/** A partner asked for another reply-to address; it takes effect when its mailbox confirms it. */
export type ReplyToRequest = {
  readonly _id: string;
  readonly partner_id: number;
  readonly email: string;
  readonly used_at: Date | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly delivery: MailDelivery;
};

const requests = collection<ReplyToRequest>('reply_to_requests', String, [
  { name: 'partner', keys: { partner_id: 1 } },
  { name: 'expiry', keys: { expires_at: 1 }, expireAfterSeconds: 0 },
  mailQueueIndex,
]);

export function createReplyToRequestStore(db: Connection) {
  const model = requests(db);
  return {
    mails: createMailQueue(model),
    async find(id: string, tx: Session | null = null) {
      return await model.findById(id).session(tx).lean<ReplyToRequest>();
    },
    async removeSome(partnerId: number, limit: number) {
      return await removeSomeOf(model, partnerId, limit);
    },
    async insert(request: ReplyToRequest, tx: Session) {
      await model.insertMany([request], { session: tx });
    },
    /** A partner has one request: the newest. */
    async removeAll(partnerId: number, tx: Session) {
      await model.deleteMany({ partner_id: partnerId }, { session: tx });
    },
    /** Compare-and-set: of several in parallel, one uses the request. */
    async use(id: string, now: Date, tx: Session) {
      const unused = { _id: id, used_at: null, expires_at: { $gt: now } };
      const { modifiedCount } = await model.updateOne(unused, { $set: { used_at: now } }, { session: tx });
      return modifiedCount === 1;
    },
  };
}
