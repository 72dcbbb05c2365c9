import type { Connection, Session as Transaction } from '@casewatch/platform';
import mongoose from 'mongoose';
import type { Session } from '../domain/session.ts';

const schema = new mongoose.Schema<Session>(
  {
    _id: String,
    user_id: Number,
    partner_id: Number,
    generation: Number,
    rotated_at: Date,
    signed_in_at: Date,
    expires_at: Date,
    idle_expires_at: Date,
    ended_at: Date,
  },
  { versionKey: false, id: false, collection: 'sessions' },
);
schema.index({ user_id: 1 }, { name: 'user' });
schema.index({ expires_at: 1 }, { name: 'expiry', expireAfterSeconds: 24 * 60 * 60 });

export function createSessionStore(db: Connection) {
  const model = db.model<Session>('sessions', schema);
  return {
    async prepare() {
      await model.createCollection();
      await model.createIndexes();
    },
    async find(id: string) {
      return await model.findById(id).lean<Session>();
    },
    async insert(row: Session, session: Transaction) {
      await model.insertMany([row], { session });
    },
    /** One compare-and-set; null where another refresh came first or the session has ended. */
    async rotate(current: Session, now: Date, idleExpiresAt: Date) {
      return await model
        .findOneAndUpdate(
          { _id: current._id, generation: current.generation, ended_at: null },
          {
            $set: { generation: current.generation + 1, rotated_at: now, idle_expires_at: idleExpiresAt },
          },
          { returnDocument: 'after' },
        )
        .lean<Session>();
    },
    async end(id: string, now: Date) {
      await model.updateOne({ _id: id, ended_at: null }, { $set: { ended_at: now } });
    },
    /** Ends a user's sessions, but `except` where one is named. */
    async endAll(userId: number, except: string | null, now: Date, session: Transaction) {
      await model.updateMany(
        { user_id: userId, ended_at: null, ...(except !== null && { _id: { $ne: except } }) },
        { $set: { ended_at: now } },
        { session },
      );
    },
    async removeAll(userId: number, session: Transaction) {
      await model.deleteMany({ user_id: userId }, { session });
    },
  };
}
