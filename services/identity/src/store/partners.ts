import type { Alerts, LogoFault, SecondFactorRule } from '@casewatch/contracts';
import { withoutTimeLimit } from '@casewatch/platform';
import {
  type Connection,
  collection,
  databaseTimeIn,
  hasPassed,
  type Session,
} from '@casewatch/platform/database';
import { LRUCache } from 'lru-cache';

/** The operator sets what `partner set` has as options (interface.md §4, profile). */
export type Partner = {
  _id: number;
  name: string;
  email: string;
  status: 'active' | 'suspended';
  logo_url: string | null;
  /** Name of our copy of the logo; missing in rows from before there were copies. */
  logo_name?: string | null;
  logo_fault?: LogoFault | null;
  notify_unverified: boolean;
  case_url: string | null;
  reply_to: string | null;
  /** Takes the place of `reply_to` when its mailbox confirms it; missing: none. */
  pending_reply_to?: string | null;
  support_contact: string | null;
  /** Of quiet hours. */
  time_zone: string | null;
  /** Of active cases in all. Missing or null: as many as there are. */
  case_limit?: number | null;
  /** False: members have no addresses of calendars. Missing: they may. */
  calendar_addresses?: boolean;
  /** False: mails to members do not name clients. Missing: they do. */
  names_in_mails?: boolean;
  /** Of members who are invited from now on; missing: the default ones. */
  new_member_alerts?: Alerts;
  /** Which members must have a second factor; missing: none. */
  second_factor?: SecondFactorRule;
  /** Missing or null: the partner is not being deleted. */
  deletion?: PartnerDeletion | null;
  version: number;
  keys_version: number;
  /** Missing until the first change that the partner's owners must survive. */
  staff_version?: number;
  created_at: Date;
  updated_at: Date;
};

/** The operator deletes the partner: until `due_at` it can be restored. Its `status` is `suspended` meanwhile. */
export type PartnerDeletion = {
  readonly requested_at: Date;
  readonly due_at: Date;
  readonly status_before: Partner['status'];
  /** Until when one process erases it; missing before the erasure begins. On the database's clock, as the others. */
  readonly claimed_until?: Date;
};

/** What people see of a partner. */
export type Brand = Pick<Partner, 'name' | 'logo_name'>;

const partners = collection<Partner>('partners', Number);

export function createPartnerStore(db: Connection) {
  const model = partners(db);
  const readBrand = async (id: number) =>
    (await model.findById(id, { name: 1, logo_name: 1 }).lean<Brand>()) ?? undefined;
  const brands = new LRUCache<number, Brand>({
    max: 10_000,
    ttl: 60_000,
    fetchMethod: (id) => withoutTimeLimit(() => readBrand(id)),
  });
  return {
    /** Name and logo, at most one minute old. */
    async brandOf(id: number | null) {
      return id === null ? null : ((await brands.fetch(id)) ?? null);
    },
    async find(id: number, tx: Session | null = null) {
      return await model.findById(id).session(tx).lean<Partner>();
    },
    async findAll(ids: readonly number[]) {
      return await model.find({ _id: { $in: [...ids] } }).lean<Partner[]>();
    },
    async list() {
      return await model.find().sort({ _id: 1 }).lean<Partner[]>();
    },
    async change(id: number, set: Partial<Partner>, now: Date, tx: Session) {
      return await model
        .findOneAndUpdate(
          { _id: id },
          { $set: { ...set, updated_at: now }, $inc: { version: 1 } },
          { session: tx, returnDocument: 'after' },
        )
        .lean<Partner>();
    },
    /** Makes two transactions that change one partner's keys conflict, so that the later one runs again. */
    async touchKeys(id: number, tx: Session) {
      await model.updateOne({ _id: id }, { $inc: { keys_version: 1 } }, { session: tx });
    },
    /** Makes two transactions that may each take away an owner conflict, so that the later one runs again. */
    async touchStaff(id: number, tx: Session) {
      await model.updateOne({ _id: id }, { $inc: { staff_version: 1 } }, { session: tx });
    },
    /** Claims one whose grace has ended; no other process gets it for `leaseMs`. */
    async claimErasure(leaseMs: number) {
      const isFree = { $lte: [{ $ifNull: ['$deletion.claimed_until', new Date(0)] }, '$$NOW'] };
      const { $expr: isDue, ...due } = hasPassed('deletion.due_at');
      return await model
        .findOneAndUpdate(
          { ...due, $expr: { $and: [isDue, isFree] } },
          [{ $set: { 'deletion.claimed_until': databaseTimeIn(leaseMs) } }],
          { returnDocument: 'after', updatePipeline: true },
        )
        .lean<Partner>();
    },
    /** Renews the claim, or ends it in `leaseMs`. */
    async keepErasure(id: number, leaseMs: number): Promise<void> {
      const until = [{ $set: { 'deletion.claimed_until': databaseTimeIn(leaseMs) } }];
      await model.updateOne({ _id: id }, until, { updatePipeline: true });
    },
    async remove(id: number, tx: Session) {
      await model.deleteOne({ _id: id }, { session: tx });
    },
    /** Those of the ids that are no partners any more, or whose erasure is due. */
    async goneAmong(ids: readonly number[], now: Date): Promise<number[]> {
      const kept = await model
        .find({ _id: { $in: [...ids] }, 'deletion.due_at': { $not: { $lte: now } } }, { _id: 1 })
        .lean<Pick<Partner, '_id'>[]>();
      const keptIds = new Set(kept.map(({ _id }) => _id));
      return ids.filter((id) => !keptIds.has(id));
    },
    async insert(partner: Partner, tx: Session) {
      await model.insertMany([partner], { session: tx });
    },
  };
}
