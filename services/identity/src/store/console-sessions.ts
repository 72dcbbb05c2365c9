import { collection, type Connection, findSurely, type Session } from '@casewatch/platform/database';
import type { ConsoleSession } from '../domain/console-session.ts';
import { removeSomeOf } from './remove-some.ts';

/** Who acted is looked up by the id of the session, which log lines have: kept as long as other ended sessions. */
const keptSeconds = 30 * 24 * 60 * 60;

const sessions = collection<ConsoleSession>('console_sessions', String, [
  // The erasure of a partner, and the end of its access.
  { name: 'partner', keys: { partner_id: 1 } },
  { name: 'kept', keys: { expires_at: 1 }, expireAfterSeconds: keptSeconds },
]);

export function createConsoleSessionStore(db: Connection) {
  const model = sessions(db);
  return {
    async find(id: string) {
      return await findSurely(model, { _id: id });
    },
    /** The person of each session, by its id. */
    async actorsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      if (ids.length === 0) return new Map();
      const found = await model.find({ _id: { $in: [...ids] } }).lean<ConsoleSession[]>();
      return new Map(found.map(({ _id, actor }) => [_id, actor]));
    },
    async removeSome(partnerId: number, limit: number) {
      return await removeSomeOf(model, partnerId, limit);
    },
    async insert(session: ConsoleSession, tx: Session) {
      await model.insertMany([session], { session: tx });
    },
    /** Compare-and-set; null if another renewal came first or the session ended. */
    async rotate({ _id, generation }: ConsoleSession, now: Date, pepperId: string) {
      const next = { generation: generation + 1, rotated_at: now, pepper_id: pepperId };
      return await model
        .findOneAndUpdate({ _id, generation, ended_at: null }, { $set: next }, { returnDocument: 'after' })
        .lean<ConsoleSession>();
    },
    async endAllOfPartner(partnerId: number, now: Date, tx: Session) {
      const live = { partner_id: partnerId, ended_at: null };
      await model.updateMany(live, { $set: { ended_at: now } }, { session: tx });
    },
    async end(id: string, now: Date, tx: Session) {
      await model.updateOne({ _id: id, ended_at: null }, { $set: { ended_at: now } }, { session: tx });
    },
  };
}
