import { type Connection, collection, type Session } from '@casewatch/platform/database';
import type { ConsoleLink } from '../domain/console-session.ts';
import { removeSomeOf } from './remove-some.ts';

const links = collection<ConsoleLink>('console_links', String, [
  // The erasure of a partner, and the end of its access.
  { name: 'partner', keys: { partner_id: 1 } },
  { name: 'expiry', keys: { expires_at: 1 }, expireAfterSeconds: 24 * 60 * 60 },
]);

export function createConsoleLinkStore(db: Connection) {
  const model = links(db);
  return {
    async removeSome(partnerId: number, limit: number) {
      return await removeSomeOf(model, partnerId, limit);
    },
    async removeUnused(partnerId: number, tx: Session) {
      await model.deleteMany({ partner_id: partnerId, used_at: null }, { session: tx });
    },
    async insert(link: ConsoleLink, tx: Session | null = null) {
      await model.insertMany([link], { session: tx });
    },
    /** Null if the link was used or has expired. */
    async findUnused(id: string, now: Date) {
      return await model.findOne({ _id: id, used_at: null, expires_at: { $gt: now } }).lean<ConsoleLink>();
    },
    /** Compare-and-set: of several in parallel, one uses the link; null if it was used or has expired. */
    async use(id: string, now: Date, tx: Session) {
      return await model
        .findOneAndUpdate(
          { _id: id, used_at: null, expires_at: { $gt: now } },
          { $set: { used_at: now } },
          { session: tx, returnDocument: 'after' },
        )
        .lean<ConsoleLink>();
    },
  };
}
