import type { Alerts, Language, StaffRole, StaffStatus } from '@casewatch/contracts';
import { type Position, RetryLaterError } from '@casewatch/platform';
import { type Connection, collection, isDuplicateKey, type Session } from '@casewatch/platform/database';
import { beyond } from './users.ts';

/** A member of a partner's staff (firm.md §1). The row stays after the removal: its id and name say who did something. */
export type StaffMember = {
  readonly _id: number;
  readonly partner_id: number;
  /** Both null once the address is deleted, some time after the removal. */
  readonly email: string | null;
  readonly email_lower: string | null;
  readonly name: string;
  readonly role: StaffRole;
  readonly status: StaffStatus;
  readonly language: Language;
  /** Null: that of the partner. */
  readonly time_zone: string | null;
  /** When the invitation was accepted, which proves the address. */
  readonly accepted_at: Date | null;
  readonly last_seen_at: Date | null;
  /** Since when the member signs in with a second factor; missing, too: not. */
  readonly second_factor_since?: Date | null;
  /** Missing: the default ones. */
  readonly alerts?: Alerts;
  /** When they were last changed, on the database's clock; missing: never. */
  readonly alerts_changed_at?: Date;
  /** May have passed. Missing, as null: not away. */
  readonly away_until?: Date | null;
  readonly removed_at: Date | null;
  /** The name was replaced. */
  readonly erased_at: Date | null;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
};

const staff = collection<StaffMember>('staff', Number, [
  // An address is one member's at a partner. Who was removed can be invited again, as another member.
  {
    name: 'address_of_partner',
    keys: { partner_id: 1, email_lower: 1 },
    unique: true,
    partialFilterExpression: { removed_at: null },
  },
  // Where somebody signs in, the partner is not known yet.
  { name: 'address', keys: { email_lower: 1 } },
  { name: 'list', keys: { partner_id: 1, removed_at: 1, created_at: -1, _id: -1 } },
  {
    name: 'removed_with_address',
    keys: { removed_at: 1 },
    partialFilterExpression: { email: { $type: 'string' }, removed_at: { $type: 'date' } },
  },
]);

type Address = Pick<StaffMember, '_id' | 'email_lower'>;
type PageQuery = { partnerId: number; after: Position | null; limit: number };
type IdQuery = { partnerId: number; afterId: number; limit: number };

export function createStaffStore(db: Connection) {
  const model = staff(db);
  return {
    async find(id: number, tx: Session | null = null) {
      return await model.findById(id).session(tx).lean<StaffMember>();
    },
    /** Also who was removed. */
    async findSome(partnerId: number, ids: readonly number[]) {
      return await model.find({ _id: { $in: [...ids] }, partner_id: partnerId }).lean<StaffMember[]>();
    },
    async findByEmail(partnerId: number, emailLower: string, tx: Session | null = null) {
      const filter = { partner_id: partnerId, email_lower: emailLower, removed_at: null };
      return await model.findOne(filter).session(tx).lean<StaffMember>();
    },
    /** Who can sign in with an address, at each partner. */
    async findActiveByEmail(emailLower: string, tx: Session | null = null) {
      const active = { email_lower: emailLower, removed_at: null, status: 'active' } as const;
      return await model.find(active).sort({ created_at: 1, _id: 1 }).session(tx).lean<StaffMember[]>();
    },
    /** Whether the address of a member is also that of another active member, at any partner. */
    async isActiveElsewhere({ _id, email_lower }: Address, tx: Session | null = null): Promise<boolean> {
      const active = { email_lower, removed_at: null, status: 'active', _id: { $ne: _id } } as const;
      return email_lower !== null && (await model.exists(active).session(tx)) !== null;
    },
    /** Makes a sign-in conflict with a change that ends the member's sessions, so no session survives it. */
    async recordSeen(id: number, now: Date, tx: Session | null = null) {
      await model.updateOne({ _id: id }, { $set: { last_seen_at: now } }, { ...(tx && { session: tx }) });
    },
    /** Whether another member than `id` is an active owner. */
    async hasOtherOwner(partnerId: number, id: number, tx: Session) {
      const owner = { partner_id: partnerId, removed_at: null, role: 'owner', status: 'active' } as const;
      const other = { ...owner, _id: { $ne: id } };
      return (await model.findOne(other, { _id: 1 }).session(tx).lean()) !== null;
    },
    /** Newest first. */
    async page({ partnerId, after, limit }: PageQuery) {
      const older = after && { $or: beyond(after, -1) };
      return await model
        .find({ partner_id: partnerId, removed_at: null, ...older })
        .sort({ created_at: -1, _id: -1 })
        .limit(limit)
        .lean<StaffMember[]>();
    },
    /** Active members by name, as people sort names. */
    async activeByName(partnerId: number, limit: number) {
      return await model
        .find({ partner_id: partnerId, removed_at: null, status: 'active' }, { name: 1 })
        .collation({ locale: 'en', strength: 1 })
        .sort({ name: 1, _id: 1 })
        .limit(limit)
        .lean<Pick<StaffMember, '_id' | 'name'>[]>();
    },
    /** Active members, in the order of their ids. */
    async activeById(partnerId: number, limit: number) {
      return await model
        .find({ partner_id: partnerId, removed_at: null, status: 'active' })
        .sort({ _id: 1 })
        .limit(limit)
        .lean<StaffMember[]>();
    },
    async pageById({ partnerId, afterId, limit }: IdQuery) {
      return await model
        .find({ partner_id: partnerId, removed_at: null, _id: { $gt: afterId } })
        .sort({ _id: 1 })
        .limit(limit)
        .lean<StaffMember[]>();
    },
    /** Of who is a member. */
    async idsOfRoles(partnerId: number, roles: readonly StaffRole[], tx: Session): Promise<number[]> {
      const filter = { partner_id: partnerId, removed_at: null, role: { $in: [...roles] } };
      const rows = await model.find(filter, { _id: 1 }).session(tx).lean<Pick<StaffMember, '_id'>[]>();
      return rows.map(({ _id }) => _id);
    },
    /** Also who was removed. */
    async someOfPartner(partnerId: number, limit: number, tx: Session | null = null) {
      return await model.find({ partner_id: partnerId }).limit(limit).session(tx).lean<StaffMember[]>();
    },
    async countOfPartner(partnerId: number) {
      return await model.countDocuments({ partner_id: partnerId, removed_at: null });
    },
    async remove(id: number, tx: Session) {
      await model.deleteOne({ _id: id }, { session: tx });
    },
    async activeOwners(partnerId: number, limit: number, tx: Session) {
      const owners = { partner_id: partnerId, removed_at: null, role: 'owner', status: 'active' } as const;
      return await model.find(owners).sort({ _id: 1 }).limit(limit).session(tx).lean<StaffMember[]>();
    },
    async insert(member: StaffMember, tx: Session) {
      await model.insertMany([member], { session: tx });
    },
    /** @throws RetryLaterError if the version changed, which a transaction excludes */
    async save(member: StaffMember, set: Partial<StaffMember>, tx: Session): Promise<StaffMember> {
      const { _id, version } = member;
      const change = { $set: set, $inc: { version: 1 } };
      const { modifiedCount } = await model.updateOne({ _id, version }, change, { session: tx });
      if (modifiedCount !== 1) throw new RetryLaterError('the staff member changed meanwhile');
      return { ...member, ...set, version: version + 1 };
    },
    /** Deletes the addresses of members who were removed before `before`; how many. */
    async deleteAddresses(before: Date) {
      const removed = { removed_at: { $lt: before, $type: 'date' }, email: { $type: 'string' } } as const;
      const { modifiedCount } = await model.updateMany(removed, {
        $set: { email: null, email_lower: null },
        $inc: { version: 1 },
      });
      return modifiedCount;
    },
  };
}

export function isStaffAddressTaken(error: unknown): boolean {
  return isDuplicateKey(error, 'address_of_partner');
}
