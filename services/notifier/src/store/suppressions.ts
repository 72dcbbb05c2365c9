import { type Channel, channel as channels } from '@casewatch/contracts';
import { type Connection, collection, type Session } from '@casewatch/platform/database';
import type { UnsubscribeLink } from '../domain/unsubscribe-token.ts';

type SuppressionRow = {
  /** `<user>:<channel>` */
  _id: string;
  reason: 'unsubscribed';
  at: Date;
  /** Null if identity did not answer. */
  user_version: number | null;
};

const suppressions = collection<SuppressionRow>('suppressions', String);

/** Kept until the user is deleted. */
export function createSuppressionStore(db: Connection) {
  const model = suppressions(db);
  return {
    async find(link: UnsubscribeLink, session: Session | null = null): Promise<SuppressionRow | null> {
      return await model.findById(idOf(link)).session(session).lean<SuppressionRow>();
    },

    async findAll(userIds: readonly number[], channel: Channel): Promise<Map<number, SuppressionRow>> {
      const ids = userIds.map((userId) => idOf({ userId, channel }));
      const rows = await model.find({ _id: { $in: ids } }).lean<SuppressionRow[]>();
      return new Map(rows.map((row) => [Number.parseInt(row._id, 10), row]));
    },

    async upsert(
      session: Session,
      link: UnsubscribeLink,
      row: Omit<SuppressionRow, '_id' | 'reason'>,
    ): Promise<void> {
      const _id = idOf(link);
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
