import { type Connection, collection, insertRows, type Session } from '@casewatch/platform/database';

/** A caller's statement that access to the case at USCIS is authorized. Erasure keeps it without personal data. */
export type AcknowledgementRow = {
  _id: number;
  case_id: number;
  version: string;
  acknowledged_at: Date;
  /** Null if the user acknowledged. */
  partner_id: number | null;
  /** Both null if the user acknowledged; else one of them is. */
  key_id: string | null;
  staff_id: number | null;
  address: string | null;
  /** The import, and its row, that said so. */
  import?: { id: number; row: number };
  user_id: number | null;
  receipt_number: string | null;
};

const acknowledgements = collection<AcknowledgementRow>('acknowledgements', Number, [
  { name: 'of_case', keys: { case_id: 1 } },
  { name: 'of_user', keys: { user_id: 1 } },
  {
    name: 'of_staff',
    keys: { staff_id: 1, _id: 1 },
    partialFilterExpression: { staff_id: { $gt: 0 } },
  },
]);

/** A page of what a member did. */
export type OfStaff = { partnerId: number; staffId: number; after: number; limit: number };

const anonymous = { user_id: null, receipt_number: null, address: null };

export function createAcknowledgementStore(db: Connection) {
  const model = acknowledgements(db);
  return {
    async insert(session: Session, row: AcknowledgementRow): Promise<void> {
      await insertRows(model, [row], session);
    },

    async ofCase(caseId: number): Promise<AcknowledgementRow[]> {
      return await model.find({ case_id: caseId }).sort({ _id: 1 }).lean<AcknowledgementRow[]>();
    },

    /** By id, after an id. */
    async ofStaff({ partnerId, staffId, after, limit }: OfStaff): Promise<AcknowledgementRow[]> {
      const filter = { partner_id: partnerId, staff_id: staffId, _id: { $gt: after } };
      return await model.find(filter).sort({ _id: 1 }).limit(limit).lean<AcknowledgementRow[]>();
    },

    async anonymizeUser(userId: number): Promise<void> {
      await model.updateMany({ user_id: userId }, { $set: anonymous });
    },

    async anonymizeCase(session: Session, caseId: number): Promise<void> {
      await model.updateMany({ case_id: caseId }, { $set: anonymous }, { session });
    },
  };
}
