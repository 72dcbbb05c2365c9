import { type Connection, collection, type Session } from '@casewatch/platform';

/**
 * That a caller stated that access to the government's case system is authorized: who, when, which version of which
 * text, from which address, for whom. Erasing the user or the case leaves it without user, receipt and address.
 */
export type AcknowledgementRow = {
  _id: number;
  case_id: number;
  version: string;
  acknowledged_at: Date;
  /** The partner and the key that it called with; null for a user's own case. */
  partner_id: number | null;
  key_id: string | null;
  address: string | null;
  user_id: number | null;
  receipt_number: string | null;
};

const acknowledgements = collection<AcknowledgementRow>('acknowledgements', Number, [
  { name: 'of_case', keys: { case_id: 1 } },
  { name: 'of_user', keys: { user_id: 1 } },
]);

const nothingPersonal = { user_id: null, receipt_number: null, address: null };

/** The collection `acknowledgements`: its named queries. */
export function createAcknowledgementStore(db: Connection) {
  const model = acknowledgements(db);
  return {
    async insert(session: Session, row: AcknowledgementRow): Promise<void> {
      await model.insertMany([row], { session });
    },

    async ofCase(caseId: number): Promise<AcknowledgementRow[]> {
      return await model.find({ case_id: caseId }).sort({ _id: 1 }).lean<AcknowledgementRow[]>();
    },

    async forgetUser(userId: number): Promise<void> {
      await model.updateMany({ user_id: userId }, { $set: nothingPersonal });
    },

    async forgetCase(session: Session, caseId: number): Promise<void> {
      await model.updateMany({ case_id: caseId }, { $set: nothingPersonal }, { session });
    },
  };
}
