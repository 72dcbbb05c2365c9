import { type Connection, collection, type Session } from '@casewatch/platform/database';
import type { Reader } from './alerts.ts';

/** When a reader got the last mail of alerts. */
type TurnRow = Reader & {
  /** `<partner>:<staff>`, or `<partner>:office` */
  _id: string;
  /** On the database's clock. */
  last_mail_at: Date;
  /** Of the mail. */
  mail_id: string;
};

/** Longer than any window. */
const keepSeconds = 24 * 60 * 60;

const turns = collection<TurnRow>('alert_turns', String, [
  { name: 'staff', keys: { staff_id: 1 } },
  { name: 'partner', keys: { partner_id: 1 } },
  { name: 'expiry', keys: { last_mail_at: 1 }, expireAfterSeconds: keepSeconds },
]);

export function createAlertTurnStore(db: Connection) {
  const model = turns(db);
  return {
    /**
     * Whether a mail may go to the reader now: the last one was more than `windowMs` ago. Else the time until which it waits.
     * The database's clock decides. @throws MongoServerError for a duplicate key if two make the row at the same moment
     */
    async take(
      session: Session,
      { reader, mailId, windowMs }: { reader: Reader; mailId: string; windowMs: number },
    ): Promise<{ isFree: true } | { isFree: false; until: Date }> {
      const ends = { $add: [{ $ifNull: ['$last_mail_at', new Date(0)] }, windowMs] };
      const isFree = { $lte: [ends, '$$NOW'] };
      const turn = {
        partner_id: reader.partner_id,
        staff_id: reader.staff_id,
        mail_id: { $cond: [isFree, mailId, '$mail_id'] },
        last_mail_at: { $cond: [isFree, '$$NOW', '$last_mail_at'] },
      };
      const _id = `${reader.partner_id}:${reader.staff_id ?? 'office'}`;
      const options = { session, upsert: true, returnDocument: 'after', updatePipeline: true } as const;
      const row = await model.findOneAndUpdate({ _id }, [{ $set: turn }], options).lean<TurnRow>();
      if (!row || row.mail_id === mailId) return { isFree: true };
      return { isFree: false, until: new Date(row.last_mail_at.getTime() + windowMs) };
    },

    async deleteOfStaff(staffId: number): Promise<void> {
      await model.deleteMany({ staff_id: staffId });
    },

    async deleteOfPartner(partnerId: number): Promise<void> {
      await model.deleteMany({ partner_id: partnerId });
    },
  };
}
