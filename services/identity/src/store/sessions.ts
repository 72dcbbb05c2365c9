import { collection, type Connection, findSurely, type Session } from '@casewatch/platform/database';
import type { LoginSession } from '../domain/session.ts';

type SessionRow = LoginSession & { readonly delete_at: Date };

const sessions = collection<SessionRow>('sessions', String, [
  { name: 'user', keys: { user_id: 1 } },
  { name: 'kept', keys: { delete_at: 1 }, expireAfterSeconds: 0 },
]);

type NextGeneration = { now: Date; idleExpiresAt: Date; pepperId: string };

/** How long a row is kept after the session's end, ms (quality.md, How long things are kept). */
const keptMs = 30 * 24 * 60 * 60 * 1000;

const endAt = (now: Date) => ({ $set: { ended_at: now, delete_at: keptAfter(now) } });
const keptAfter = (end: Date) => new Date(end.getTime() + keptMs);

export function createSessionStore(db: Connection) {
  const model = sessions(db);
  return {
    async find(id: string) {
      return await findSurely(model, { _id: id });
    },
    async insert(row: LoginSession, tx: Session) {
      await model.insertMany([{ ...row, delete_at: keptAfter(row.idle_expires_at) }], { session: tx });
    },
    /** Compare-and-set; null if another refresh came first or the session ended. */
    async rotate(current: LoginSession, { now, idleExpiresAt, pepperId }: NextGeneration) {
      return await model
        .findOneAndUpdate(
          { _id: current._id, generation: current.generation, ended_at: null },
          {
            $set: {
              generation: current.generation + 1,
              pepper_id: pepperId,
              rotated_at: now,
              idle_expires_at: idleExpiresAt,
              delete_at: keptAfter(idleExpiresAt),
            },
          },
          { returnDocument: 'after' },
        )
        .lean<LoginSession>();
    },
    /** Live sessions by pepper. */
    async countByPepper(now: Date): Promise<{ pepper_id: string; count: number }[]> {
      return await model.aggregate([
        { $match: { ended_at: null, expires_at: { $gt: now }, idle_expires_at: { $gt: now } } },
        { $group: { _id: '$pepper_id', count: { $sum: 1 } } },
        { $project: { _id: 0, pepper_id: '$_id', count: 1 } },
      ]);
    },
    async end(id: string, now: Date, tx: Session) {
      await model.updateOne({ _id: id, ended_at: null }, endAt(now), { session: tx });
    },
    async endAll(userId: number, except: string | null, now: Date, tx: Session) {
      const others = except !== null && { _id: { $ne: except } };
      const live = { user_id: userId, ended_at: null, ...others };
      return (await model.updateMany(live, endAt(now), { session: tx })).modifiedCount;
    },
    async removeAll(userId: number, tx: Session) {
      await model.deleteMany({ user_id: userId }, { session: tx });
    },
  };
}
