import { type Channel, channel as channels } from '@casewatch/contracts';
import { type Connection, collection, type Session } from '@casewatch/platform';
import type { UnsubscribeLink } from '../domain/unsubscribe-token.ts';

/** That a channel of a user is not to be written to; `_id` is `<user>:<channel>`. */
type SuppressionRow = {
  _id: string;
  reason: 'unsubscribed';
  at: Date;
  /** The user's version as identity told it then; null where it did not answer. */
  user_version: number | null;
};

const suppressions = collection<SuppressionRow>('suppressions', String);

/** The collection `suppressions`: kept until the user is deleted; no address stands in it. */
export function createSuppressionStore(db: Connection) {
  const model = suppressions(db);
  return {
    async find(about: UnsubscribeLink, session: Session | null = null): Promise<SuppressionRow | null> {
      return await model.findById(idOf(about)).session(session).lean<SuppressionRow>();
    },

    /** Stores it, in the place of an older one. */
    async put(
      session: Session,
      about: UnsubscribeLink,
      row: Omit<SuppressionRow, '_id' | 'reason'>,
    ): Promise<void> {
      const _id = idOf(about);
      await model.updateOne({ _id }, { $set: { reason: 'unsubscribed', ...row } }, { upsert: true, session });
    },

    async deleteOfUser(userId: number): Promise<number> {
      const ids = channels.options.map((channel: Channel) => idOf({ userId, channel }));
      const { deletedCount } = await model.deleteMany({ _id: { $in: ids } });
      return deletedCount;
    },
  };
}

function idOf({ userId, channel }: UnsubscribeLink): string {
  return `${userId}:${channel}`;
}
