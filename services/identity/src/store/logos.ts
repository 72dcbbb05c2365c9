import { type Connection, collection, type Session } from '@casewatch/platform/database';

/** Our copy of the logo of a partner; `_id` is the partner's. `name`: hash of the content, and its type. */
type Row = { _id: number; name: string; content: Buffer };

const logos = collection<Row>('logos', Number, [{ name: 'name', keys: { name: 1 } }]);

export function createLogoStore(db: Connection) {
  const model = logos(db);
  return {
    async put({ _id, ...logo }: Row, tx: Session) {
      await model.updateOne({ _id }, { $set: logo }, { session: tx, upsert: true });
    },
    async remove(partnerId: number, tx: Session) {
      await model.deleteOne({ _id: partnerId }, { session: tx });
    },
    /** The content as base64; partners with the same logo share its name. */
    async contentOf(name: string) {
      const row = await model.findOne({ name }, { content: 1 }).lean<{ content: { buffer: Uint8Array } }>();
      return row && Buffer.from(row.content.buffer).toString('base64');
    },
  };
}
