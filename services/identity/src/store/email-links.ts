import type { Connection, Session } from '@casewatch/platform';
import mongoose, { type SchemaDefinition } from 'mongoose';
import type { EmailChange, EmailChangeLink } from '../domain/email-change.ts';
import { addQueueIndex, createMailQueue, type MailDelivery, mailDeliveryFields } from './mail-queue.ts';

export type EmailVerification = {
  readonly _id: string;
  readonly user_id: number;
  readonly email_lower: string;
  readonly void_at: Date | null;
  readonly created_at: Date;
  readonly expires_at: Date;
};

type Stored<Link> = Link & { readonly delivery: MailDelivery };

const weekSeconds = 7 * 24 * 60 * 60;
const changeFields = { old_email: String, old_verified_at: Date, undone_at: Date };
const linkFields = { ...changeFields, side: String, new_email: String, proven_at: Date };

const verifications = linkSchema<EmailVerification>(
  'email_verifications',
  { email_lower: String },
  weekSeconds,
);
const changes = linkSchema<EmailChange>('email_changes', changeFields, 0);
const changeLinks = linkSchema<EmailChangeLink>('email_change_links', linkFields, weekSeconds);

/** Links of one kind, each in one row with its mail. MongoDB deletes the row `keepSeconds` after its expiry. */
function linkSchema<Link>(collection: string, fields: SchemaDefinition, keepSeconds: number) {
  const common = { _id: String, user_id: Number, void_at: Date, created_at: Date, expires_at: Date };
  const schema = new mongoose.Schema<Stored<Link>>(
    { ...common, ...fields, delivery: mailDeliveryFields } as SchemaDefinition,
    { versionKey: false, id: false, collection },
  );
  schema.index({ user_id: 1 }, { name: 'user' });
  schema.index({ expires_at: 1 }, { name: 'expiry', expireAfterSeconds: keepSeconds });
  addQueueIndex(schema);
  return schema;
}

export function createEmailVerificationStore(db: Connection) {
  return createLinkStore(db.model<Stored<EmailVerification>>('email_verifications', verifications));
}

export function createEmailChangeStore(db: Connection) {
  const model = db.model<Stored<EmailChange>>('email_changes', changes);
  return {
    ...createLinkStore(model),
    /** Also voids later changes: their author could otherwise take the address back from where it was moved to. */
    async markUndone({ _id, user_id, created_at }: EmailChange, now: Date, tx: Session) {
      await model.updateOne({ _id }, { $set: { undone_at: now } }, { session: tx });
      const later = { user_id, _id: { $ne: _id }, void_at: null, created_at: { $gte: created_at } };
      await model.updateMany(later, { $set: { void_at: now } }, { session: tx });
    },
  };
}

export function createEmailChangeLinkStore(db: Connection) {
  const model = db.model<Stored<EmailChangeLink>>('email_change_links', changeLinks);
  return {
    ...createLinkStore(model),
    async markVerified(userId: number, now: Date, tx: Session) {
      const live = { user_id: userId, side: 'new', void_at: null } as const;
      await model.updateMany(live, { $set: { proven_at: now } }, { session: tx });
    },
    async markUndone(id: string, userId: number, now: Date, tx: Session) {
      await model.updateOne({ _id: id }, { $set: { undone_at: now } }, { session: tx });
      const others = { user_id: userId, _id: { $ne: id }, void_at: null };
      await model.updateMany(others, { $set: { void_at: now } }, { session: tx });
    },
  };
}

function createLinkStore<Link extends EmailVerification | EmailChange>(rows: mongoose.Model<Stored<Link>>) {
  const model = rows as unknown as mongoose.Model<Stored<EmailVerification | EmailChange>>;
  return {
    mails: createMailQueue(model),
    async find(id: string, tx: Session | null = null) {
      return await model.findById(id).session(tx).lean<Stored<Link>>();
    },
    async insert(links: Stored<Link>[], tx: Session) {
      await model.insertMany(links, { session: tx });
    },
    async voidAll(userId: number, now: Date, tx: Session) {
      await model.updateMany({ user_id: userId, void_at: null }, { $set: { void_at: now } }, { session: tx });
    },
    async removeAll(userId: number, tx: Session) {
      await model.deleteMany({ user_id: userId }, { session: tx });
    },
  };
}
