import type { Channel } from '@casewatch/contracts';
import { type Connection, collection, databaseTimeIn, updateRows } from '@casewatch/platform/database';

/** One person on one channel. The claim makes their messages follow each other. */
export type RecipientRow = {
  /** `<user>:<channel>` */
  _id: string;
  user_id: number;
  channel: Channel;
  /** Keyed hash of the address of the latest message. */
  address?: string;
  claim: string | null;
  /** Times are on the database's clock. */
  claim_until: Date | null;
  claimed_at: Date;
  last_message_at: Date | null;
  day_started_at: Date | null;
  day_count: number;
};

export type ReleasedRecipient = {
  userId: number;
  channel: Channel;
  claim: string;
  /** Number of messages that were, or may have been, accepted. */
  messages: number;
  /** Keyed hash; null if nothing was sent. */
  address: string | null;
};

/** Longer than rows of notifications are kept. */
const keepSeconds = 91 * 24 * 60 * 60;
const dayMs = 24 * 60 * 60 * 1000;

const recipients = collection<RecipientRow>('recipients', String, [
  { name: 'user', keys: { user_id: 1 } },
  { name: 'of_address', keys: { address: 1 }, partialFilterExpression: { address: { $gt: '' } } },
  { name: 'expiry', keys: { claimed_at: 1 }, expireAfterSeconds: keepSeconds },
]);

export function createRecipientStore(db: Connection) {
  const model = recipients(db);
  return {
    /** Claims those whom no other replica has claimed; their rows are created by the first claim. */
    async claimAll(
      { userIds, channel }: { userIds: readonly number[]; channel: Channel },
      { token, leaseMs }: { token: string; leaseMs: number },
    ): Promise<RecipientRow[]> {
      const isFree = { $lte: [{ $ifNull: ['$claim_until', new Date(0)] }, '$$NOW'] };
      const ifFree = (value: unknown, field: string) => ({ $cond: [isFree, value, `$${field}`] });
      const claim = {
        claim: ifFree(token, 'claim'),
        claimed_at: ifFree('$$NOW', 'claimed_at'),
        claim_until: ifFree(databaseTimeIn(leaseMs), 'claim_until'),
        last_message_at: { $ifNull: ['$last_message_at', null] },
        day_started_at: { $ifNull: ['$day_started_at', null] },
        day_count: { $ifNull: ['$day_count', 0] },
      };
      const updates = userIds.map((userId) => ({
        updateOne: {
          filter: { _id: idOf(userId, channel) },
          update: [{ $set: { ...claim, user_id: userId, channel } }],
          upsert: true,
        },
      }));
      await updateRows(model, updates);
      const ids = userIds.map((userId) => idOf(userId, channel));
      return await model.find({ _id: { $in: ids }, claim: token }).lean<RecipientRow[]>();
    },

    async releaseAll(released: readonly ReleasedRecipient[]): Promise<void> {
      const updates = released.map(({ userId, channel, claim, messages, address }) => ({
        updateOne: {
          filter: { _id: idOf(userId, channel), claim },
          update: [
            {
              $set: {
                claim: null,
                claim_until: null,
                ...(messages > 0 && countedMessages(messages)),
                ...(address !== null && { address }),
              },
            },
          ],
        },
      }));
      if (updates.length > 0) await updateRows(model, updates);
    },

    /** Ends claims that are older than the longest submission: their senders died. */
    async freeOlder(people: readonly { user_id: number; channel: Channel }[], ageMs: number): Promise<void> {
      const isOld = { $expr: { $lte: ['$claimed_at', { $subtract: ['$$NOW', ageMs] }] } };
      const ids = people.map(({ user_id, channel }) => idOf(user_id, channel));
      const free = { $set: { claim: null, claim_until: null } };
      if (ids.length > 0) await model.updateMany({ _id: { $in: ids }, ...isOld }, free);
    },

    /** Users whose latest message went to one of these addresses. */
    async usersOf(addresses: readonly string[]): Promise<number[]> {
      const rows = await model.find({ address: { $in: [...addresses] } }).lean<RecipientRow[]>();
      return rows.map(({ user_id }) => user_id);
    },

    async deleteOfUser(userId: number): Promise<void> {
      await model.deleteMany({ user_id: userId });
    },
  };
}

const isSameDay = {
  $gt: [{ $add: [{ $ifNull: ['$day_started_at', new Date(0)] }, dayMs] }, '$$NOW'],
};

const countedMessages = (count: number) => ({
  last_message_at: '$$NOW',
  day_started_at: { $cond: [isSameDay, '$day_started_at', '$$NOW'] },
  day_count: { $cond: [isSameDay, { $add: ['$day_count', count] }, count] },
});

function idOf(userId: number, channel: Channel): string {
  return `${userId}:${channel}`;
}
