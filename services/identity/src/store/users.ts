import { addressWords, queryWords, searchWords, type UserStatus } from '@casewatch/contracts';
import { type Position, RetryLaterError } from '@casewatch/platform';
import {
  addMissingWords,
  type Connection,
  collection,
  createRowReader,
  type Found,
  findByWords,
  findRow,
  findRows,
  insertRows,
  isDuplicateKey,
  type Session,
  updateRows,
  wordsIndex,
} from '@casewatch/platform/database';
import type { User } from '../domain/user.ts';

const ignoringCase = { locale: 'en', strength: 2 } as const;
const neverVerified = { partner_id: null, email_verified_at: null, last_sign_in_at: null };

/** `words`: by which a partner's user is found; those of the address begin with `@`. Of direct users there are none. */
export type UserRow = User & { words?: string[] };

const users = collection<UserRow>('users', Number, [
  // An address is unique per tenant. Direct users share the tenant null (interface.md §3).
  { name: 'address_of_tenant', keys: { partner_id: 1, email_lower: 1 }, unique: true },
  { name: 'address', keys: { email_lower: 1 } },
  { name: 'pending', keys: { pending_email: 1 }, sparse: true, collation: ignoringCase },
  { name: 'list', keys: { partner_id: 1, created_at: -1, _id: -1 } },
  { name: 'list_by_status', keys: { partner_id: 1, status: 1, created_at: -1, _id: -1 } },
  wordsIndex,
  { name: 'unproven', keys: { created_at: 1 }, partialFilterExpression: neverVerified },
]);

/** The fields that a list shows. */
const listedFields = {
  _id: 1,
  email: 1,
  name: 1,
  phone: 1,
  preferred_language: 1,
  email_verified_at: 1,
  notify_by_email: 1,
  notify_by_whatsapp: 1,
  status: 1,
  created_at: 1,
  updated_at: 1,
} as const;

export type ListedUser = Pick<User, keyof typeof listedFields>;

/** `set` has the new version, too. */
export type UserChange = { readonly before: User; readonly set: Partial<User> };

type ListQuery = {
  partnerId: number;
  status: UserStatus | undefined;
  emailLower: string | undefined;
  /** Only these; undefined: all. */
  ids: readonly number[] | undefined;
  createdSince: Date | undefined;
  /** Whether the present address is confirmed. */
  isVerified: boolean | undefined;
  /** 1 oldest first, -1 newest first; ties by id. */
  direction: 1 | -1;
  after: Position | null;
  limit: number;
};

export function createUserStore(db: Connection) {
  const model = users(db);
  const readRow = createRowReader(model);
  return {
    async find(id: number, tx: Session | null = null) {
      return await findRow(model, id, tx);
    },
    /** Those that exist. Parallel calls share a command: in a burst, each event of other services asks for its person. */
    async findSome(ids: number[], tx: Session | null = null) {
      if (tx) return await findRows(model, { _id: { $in: ids } }, { session: tx });
      const rows = await Promise.all([...new Set(ids)].map(readRow));
      return rows.filter((row) => row !== null);
    },
    async findByEmail(emailLower: string, tx: Session | null = null) {
      return await model.find({ email_lower: emailLower }).sort({ _id: 1 }).session(tx).lean<User[]>();
    },
    /** The one user who requested this address; null if several did. */
    async findByPendingEmail(emailLower: string, tx: Session | null = null) {
      const query = model.find({ pending_email: emailLower }).collation(ignoringCase).limit(2);
      const users = await query.session(tx).lean<User[]>();
      return users.length === 1 ? (users[0] ?? null) : null;
    },
    async findInTenant(partnerId: number | null, emailLower: string, tx: Session | null = null) {
      const filter = { partner_id: partnerId, email_lower: emailLower };
      return await model.findOne(filter).session(tx).lean<User>();
    },
    /** Those of these users who have not verified the present address, in the order of their ids. */
    async unverifiedOf(partnerId: number, ids: readonly number[], tx: Session | null = null) {
      const filter = { _id: { $in: [...ids] }, partner_id: partnerId, email_verified_at: null };
      return await model.find(filter).sort({ _id: 1 }).session(tx).lean<User[]>();
    },
    /** Ids of direct users who signed up before `before` and never verified an address, oldest first. */
    async listUnverifiedBefore(before: Date, limit: number) {
      const rows = await model
        .find({ ...neverVerified, created_at: { $lt: before } }, { _id: 1 })
        .sort({ created_at: 1 })
        .limit(limit)
        .lean<Pick<User, '_id'>[]>();
      return rows.map(({ _id }) => _id);
    },
    async someOfPartner(partnerId: number, limit: number, tx: Session | null = null): Promise<number[]> {
      const rows = await model
        .find({ partner_id: partnerId }, { _id: 1 })
        .limit(limit)
        .session(tx)
        .lean<Pick<User, '_id'>[]>();
      return rows.map(({ _id }) => _id);
    },
    /** At most `limit`. */
    async countOfPartner(partnerId: number, limit = Number.MAX_SAFE_INTEGER) {
      return await model.countDocuments({ partner_id: partnerId }).limit(limit);
    },
    /** Conflicts with a transaction that erases the user; false if the user is erased. */
    async recordVerificationMail(id: number, now: Date, tx: Session) {
      const change = { $set: { verification_queued_at: now } };
      const { matchedCount } = await model.updateOne({ _id: id }, change, { session: tx });
      return matchedCount === 1;
    },
    /** Makes a sign-in conflict with a change that ends the user's sessions, so no session survives it. */
    async recordSignIn(id: number, now: Date, tx: Session) {
      await model.updateOne({ _id: id }, { $set: { last_sign_in_at: now } }, { session: tx });
    },
    async remove(user: User, tx: Session) {
      const { deletedCount } = await model.deleteOne(sameVersion(user), { session: tx });
      return deletedCount === 1;
    },
    async insert(user: User, tx: Session) {
      await insertRows(model, [{ ...user, words: wordsOf(user) }], tx);
    },
    /** Null if the version changed. MongoDB logs a refused findAndModify with all its values, an update without them. */
    async save(user: User, set: Partial<User>, tx: Session) {
      const change = { $set: { ...set, ...changedWords(user, set) }, $inc: { version: 1 } };
      const { modifiedCount } = await model.updateOne(sameVersion(user), change, { session: tx });
      return modifiedCount === 1 ? { ...user, ...set, version: user.version + 1 } : null;
    },
    /** @throws RetryLaterError if a version changed, which a transaction excludes */
    async saveAll(changes: readonly UserChange[], tx: Session) {
      const changed = changes.filter(({ set }) => Object.keys(set).length > 0);
      if (changed.length === 0) return;
      const updates = changed.map(({ before, set }) => ({
        updateOne: {
          filter: sameVersion(before),
          update: { $set: { ...set, ...changedWords(before, set) } },
        },
      }));
      const { matchedCount } = await updateRows(model, updates, { session: tx });
      if (matchedCount < changed.length) throw new RetryLaterError('a user changed meanwhile');
    },
    async list(query: ListQuery): Promise<ListedUser[]> {
      const { direction, after } = query;
      const filter = {
        partner_id: query.partnerId,
        ...(query.status && { status: query.status }),
        ...(query.emailLower && { email_lower: query.emailLower }),
        ...(query.ids && { _id: { $in: [...query.ids] } }),
        ...(query.isVerified !== undefined && {
          email_verified_at: query.isVerified ? { $ne: null } : null,
        }),
        ...(query.createdSince && { created_at: { $gte: query.createdSince } }),
      };
      const sort = { created_at: direction, _id: direction };
      const page = after ? { $and: [filter, { $or: beyond(after, direction) }] } : filter;
      return await findRows<UserRow, ListedUser>(model, page, {
        sort,
        limit: query.limit,
        projection: listedFields,
        ...(query.ids && { hint: '_id_' }),
      });
    },
    /** The partner's users whose name, or address too, has words that begin as those of the text do; at most `limit`. */
    async search({ partnerId, text, inAddress, limit }: UserSearch): Promise<Found> {
      const words = queryWords(text).map((ways) =>
        inAddress ? ways.flatMap((word) => [word, `@${word}`]) : ways,
      );
      return await findByWords(model, { partnerId, words, limit });
    },
    /** Of users that were stored without. */
    async addMissingWords(): Promise<void> {
      await addMissingWords(model, wordsOf);
    },
  };
}

type UserSearch = { partnerId: number; text: string; inAddress: boolean; limit: number };

function wordsOf({ partner_id, name, email }: Pick<User, 'partner_id' | 'name' | 'email'>): string[] {
  if (partner_id === null) return [];
  return [...searchWords([name]), ...addressWords(email).map((word) => `@${word}`)];
}

function changedWords(user: User, set: Partial<User>): { words?: string[] } {
  const isFoundAnew = set.name !== undefined || set.email !== undefined;
  return isFoundAnew ? { words: wordsOf({ ...user, ...set }) } : {};
}

function sameVersion({ _id, version }: User) {
  return { _id, version };
}

/** Rows after a position of a list by creation, ties by id. */
export function beyond([createdAt, id]: Position, direction: 1 | -1) {
  const at = new Date(Number(createdAt));
  const side = direction === 1 ? '$gt' : '$lt';
  return [{ created_at: { [side]: at } }, { created_at: at, _id: { [side]: id } }];
}

/** The tenant has this address already. Thrown before the write: MongoDB logs a duplicate key with its value. */
export class AddressTakenError extends Error {
  override name = 'AddressTakenError';
}

export function isAddressTaken(error: unknown): boolean {
  return error instanceof AddressTakenError || isDuplicateKey(error, 'address_of_tenant');
}
