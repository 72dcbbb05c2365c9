import type { Channel } from '@casewatch/contracts';
import { type Connection, collection } from '@casewatch/platform/database';

/** A message with several updates. Its members never change, so that a repeated attempt is the same message. */
export type DigestRow = {
  _id: string;
  user_id: number;
  channel: Channel;
  members: string[];
  message_id: string | null;
  provider_message_id: string | null;
  created_at: Date;
};

const keepSeconds = 90 * 24 * 60 * 60;

const digests = collection<DigestRow>('digests', String, [
  { name: 'user', keys: { user_id: 1 } },
  {
    name: 'provider_message',
    keys: { provider_message_id: 1 },
    partialFilterExpression: { provider_message_id: { $gt: '' } },
  },
  { name: 'expiry', keys: { created_at: 1 }, expireAfterSeconds: keepSeconds },
]);

export function createDigestStore(db: Connection) {
  const model = digests(db);
  return {
    async insertAll(rows: readonly DigestRow[]): Promise<void> {
      if (rows.length > 0) await model.insertMany(rows);
    },

    async find(id: string): Promise<DigestRow | null> {
      return await model.findById(id).lean<DigestRow>();
    },

    async findByProviderId(providerId: string): Promise<DigestRow | null> {
      return await model.findOne({ provider_message_id: providerId }).lean<DigestRow>();
    },

    async setProviderId(id: string, providerId: string): Promise<void> {
      await model.updateOne({ _id: id }, { $set: { provider_message_id: providerId } });
    },

    /** Which of them are messages of other digests than this one. */
    async ownedProviderIds(providerIds: readonly string[], except: string | null): Promise<string[]> {
      const ofOthers = { provider_message_id: { $in: [...providerIds] }, _id: { $ne: except ?? '' } };
      const rows = await model.find(ofOthers, { provider_message_id: 1 }).lean<DigestRow[]>();
      return rows.flatMap(({ provider_message_id }) => provider_message_id ?? []);
    },

    async deleteOfUser(userId: number): Promise<void> {
      await model.deleteMany({ user_id: userId });
    },
  };
}
