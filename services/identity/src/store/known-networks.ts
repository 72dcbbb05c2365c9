import { type Connection, collection, type Session } from '@casewatch/platform/database';
import type { KnownNetwork } from '../credentials/known-networks.ts';

/** A sign-in with an e-mail address from a network, both as keyed hashes. */
type Row = { _id: string; email_mac: string; at: Date };

/** How long a sign-in makes a network known (interface.md §1, Limits). */
const keepSeconds = 30 * 24 * 60 * 60;

const knownNetworks = collection<Row>('sign_in_places', String, [
  { name: 'email', keys: { email_mac: 1 } },
  { name: 'expiry', keys: { at: 1 }, expireAfterSeconds: keepSeconds },
]);

export function createKnownNetworkStore(db: Connection) {
  const model = knownNetworks(db);
  return {
    async record({ place, email }: KnownNetwork, now: Date, tx: Session) {
      const set = { email_mac: email, at: now };
      await model.updateOne({ _id: place }, { $set: set }, { session: tx, upsert: true });
    },
    async isKnown(ids: readonly string[], now: Date) {
      const since = new Date(now.getTime() - keepSeconds * 1000);
      return (await model.exists({ _id: { $in: ids }, at: { $gt: since } })) !== null;
    },
    async removeAll(emailMacs: readonly string[], tx: Session) {
      await model.deleteMany({ email_mac: { $in: emailMacs } }, { session: tx });
    },
  };
}
