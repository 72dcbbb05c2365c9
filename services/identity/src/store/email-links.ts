import type { Connection, Session } from '@casewatch/platform';
import mongoose, { type SchemaDefinition } from 'mongoose';
import type { EmailChange, EmailChangeLink } from '../domain/email-change.ts';
import { addQueueIndex, createMailQueue, type MailDelivery, mailDeliveryFields } from './mail-queue.ts';

/** A link in a mail to verify an address of a user. */
export type EmailVerification = {
  readonly _id: string;
  readonly user_id: number;
  readonly email_lower: string;
  /** Set when the address changed: the link no longer works. */
  readonly void_at: Date | null;
  readonly created_at: Date;
  readonly expires_at: Date;
};

const weekSeconds = 7 * 24 * 60 * 60;

export function createEmailVerificationStore(db: Connection) {
  return createLinkStore<EmailVerification>(db, {
    collection: 'email_verifications',
    fields: { email_lower: String },
    keepSeconds: weekSeconds,
  }).store;
}

const changeFields = { old_email: String, old_verified_at: Date, undone_at: Date };

export function createEmailChangeStore(db: Connection) {
  const { model, store } = createLinkStore<EmailChange>(db, {
    collection: 'email_changes',
    fields: changeFields,
    keepSeconds: 0,
  });
  return {
    ...store,
    /** Also voids later changes: their author could otherwise take the address back from where it was moved to. */
    async markUndone({ _id, user_id, created_at }: EmailChange, now: Date, tx: Session) {
      await model.updateOne({ _id }, { $set: { undone_at: now } }, { session: tx });
      const later = { user_id, _id: { $ne: _id }, void_at: null, created_at: { $gte: created_at } };
      await model.updateMany(later, { $set: { void_at: now } }, { session: tx });
    },
  };
}

export function createEmailChangeLinkStore(db: Connection) {
  const { model, store } = createLinkStore<EmailChangeLink>(db, {
    collection: 'email_change_links',
    fields: { ...changeFields, side: String, new_email: String, proven_at: Date },
    keepSeconds: weekSeconds,
  });
  return {
    ...store,
    async markVerified(userId: number, now: Date, tx: Session) {
      const live = { user_id: userId, side: 'new', void_at: null } as const;
      await model.updateMany(live, { $set: { proven_at: now } }, { session: tx });
    },
    /** Voids the user's other links. */
    async markUndone(id: string, userId: number, now: Date, tx: Session) {
      await model.updateOne({ _id: id }, { $set: { undone_at: now } }, { session: tx });
      const others = { user_id: userId, _id: { $ne: id }, void_at: null };
      await model.updateMany(others, { $set: { void_at: now } }, { session: tx });
    },
  };
}

type Stored<Link> = Link & { readonly delivery: MailDelivery };
type Options = { collection: string; fields: SchemaDefinition; keepSeconds: number };

/** Links of one kind, each in one row with its mail; `keepSeconds` after its expiry MongoDB deletes the row. */
function createLinkStore<Link extends EmailVerification | EmailChange>(
  db: Connection,
  { collection, fields, keepSeconds }: Options,
) {
  const common = { _id: String, user_id: Number, void_at: Date, created_at: Date, expires_at: Date };
  const schema = new mongoose.Schema<Stored<EmailVerification>>(
    { ...common, ...fields, delivery: mailDeliveryFields },
    { versionKey: false, id: false, collection },
  );
  schema.index({ user_id: 1 }, { name: 'user' });
  schema.index({ expires_at: 1 }, { name: 'expiry', expireAfterSeconds: keepSeconds });
  addQueueIndex(schema);
  const model = db.model<Stored<EmailVerification>>(collection, schema);
  const store = {
    mails: createMailQueue(model),
    async find(id: string, tx: Session | null = null) {
      return await model.findById(id).session(tx).lean<Stored<Link>>();
    },
    async insert(rows: Stored<Link>[], tx: Session) {
      await model.insertMany(rows, { session: tx });
    },
    async voidAll(userId: number, now: Date, tx: Session) {
      await model.updateMany({ user_id: userId, void_at: null }, { $set: { void_at: now } }, { session: tx });
    },
    async removeAll(userId: number, tx: Session) {
      await model.deleteMany({ user_id: userId }, { session: tx });
    },
  };
  return { model, store };
}
