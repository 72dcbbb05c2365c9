import { type Connection, collection, type Session } from '@casewatch/platform/database';
import type mongoose from 'mongoose';
import type { EmailChange, EmailChangeLink } from '../domain/email-change.ts';
import { createMailQueue, type MailDelivery, mailQueueIndex } from './mail-queue.ts';

export type EmailVerification = {
  readonly _id: string;
  readonly user_id: number;
  readonly email_lower: string;
  readonly void_at: Date | null;
  /** When a reminder took its place in the limit of mails to one recipient; its link works from then on. */
  readonly counted_at?: Date;
  readonly created_at: Date;
  readonly expires_at: Date;
};

type Stored<Link> = Link & { readonly delivery: MailDelivery };

const weekSeconds = 7 * 24 * 60 * 60;
const verifications = linkCollection<EmailVerification>('email_verifications', weekSeconds);
const reminders = linkCollection<EmailVerification>('verification_reminders', null);
const changes = linkCollection<EmailChange>('email_changes', 0);
const changeLinks = linkCollection<EmailChangeLink>('email_change_links', weekSeconds);

/** Links of one kind, each in one row with its mail. MongoDB deletes the row `keepSeconds` after its expiry; null: never. */
function linkCollection<Link extends { readonly _id: string }>(name: string, keepSeconds: number | null) {
  const expiry = { name: 'expiry', keys: { expires_at: 1 }, expireAfterSeconds: keepSeconds ?? 0 } as const;
  return collection<Stored<Link>>(name, String, [
    { name: 'user', keys: { user_id: 1 } },
    ...(keepSeconds === null ? [] : [expiry]),
    mailQueueIndex,
  ]);
}

export function createEmailVerificationStore(db: Connection) {
  return createLinkStore(verifications(db));
}

/**
 * Links that wait in their mails' queue for days. `created_at`: when the mail is due, so that one that waits is not late. A row stays as
 * long as the user has the address: it says that there were reminders.
 */
export function createVerificationReminderStore(db: Connection) {
  const model = reminders(db);
  return {
    ...createLinkStore(model),
    /** Whether there were reminders for the address of this user, sent ones too. */
    async hasAny(userId: number, emailLower: string, tx: Session) {
      const filter = { user_id: userId, email_lower: emailLower };
      return (await model.exists(filter).session(tx)) !== null;
    },
    async recordCounted(id: string, counted: { counted_at: Date; expires_at: Date }, tx: Session) {
      await model.updateOne({ _id: id }, { $set: counted }, { session: tx });
    },
  };
}

export function createEmailChangeStore(db: Connection) {
  const model = changes(db);
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
  const model = changeLinks(db);
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
