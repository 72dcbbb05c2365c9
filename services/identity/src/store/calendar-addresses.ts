import { type Connection, collection, type Session } from '@casewatch/platform/database';

/** The secret address of a member's calendar (firm.md §4). The secret itself is not stored. */
export type CalendarAddress = {
  /** Of the member: each has one address. */
  readonly _id: number;
  readonly partner_id: number;
  /** Keyed hash of the secret, base64url. */
  readonly secret_mac: string;
  readonly created_at: Date;
};

const addresses = collection<CalendarAddress>('calendar_addresses', Number, [
  { name: 'secret', keys: { secret_mac: 1 }, unique: true },
  { name: 'partner', keys: { partner_id: 1 } },
]);

export function createCalendarAddressStore(db: Connection) {
  const model = addresses(db);
  return {
    async find(staffId: number) {
      return await model.findById(staffId).lean<CalendarAddress>();
    },
    /** `macs`: the hash of one secret by each pepper. */
    async findBySecret(macs: readonly string[]) {
      return await model.findOne({ secret_mac: { $in: [...macs] } }).lean<CalendarAddress>();
    },
    /** Replaces the address before it, which ends by that. */
    async put(address: CalendarAddress, tx: Session) {
      await model.replaceOne({ _id: address._id }, address, { upsert: true, session: tx });
    },
    async removeAllOf(partnerId: number, tx: Session) {
      await model.deleteMany({ partner_id: partnerId }, { session: tx });
    },
    /** Whether there was one. */
    async remove(staffId: number, tx: Session): Promise<boolean> {
      return (await model.deleteOne({ _id: staffId }, { session: tx })).deletedCount === 1;
    },
  };
}
