import { type Connection, collection, type Session } from '@casewatch/platform/database';

/** A partner with a limit of its own. */
type PartnerStateRow = {
  _id: number;
  /** Grows with each case that counts, so that creations of one partner conflict: a count of them would be passed in parallel. */
  followed: number;
};

const partnerStates = collection<PartnerStateRow>('partner_states', Number);

export function createPartnerStateStore(db: Connection) {
  const model = partnerStates(db);
  return {
    async follow(session: Session, partnerId: number): Promise<void> {
      await model.updateOne({ _id: partnerId }, { $inc: { followed: 1 } }, { session, upsert: true });
    },

    async erase(partnerId: number): Promise<void> {
      await model.deleteOne({ _id: partnerId });
    },
  };
}
