import { type Connection, collection, databaseTimeIn, updateRows } from '@casewatch/platform/database';

/** A signed event of a provider that was handled. It names nobody. */
type Row = {
  /** `<provider>:<its id of the event>` */
  _id: string;
  until: Date;
};

const dayMs = 24 * 60 * 60 * 1000;

/** Longer than a recorded event is accepted. Twilio's signatures do not end: as long as the ids of the erased. */
const keptMs = { 'signed for a day': 3 * dayMs, 'signed for ever': 400 * dayMs };

const events = collection<Row>('provider_events', String, [
  { name: 'until', keys: { until: 1 }, expireAfterSeconds: 0 },
]);

export function createProviderEventStore(db: Connection) {
  const model = events(db);
  return {
    async among(ids: readonly string[]): Promise<Set<string>> {
      if (ids.length === 0) return new Set();
      const rows = await model.find({ _id: { $in: [...ids] } }, { _id: 1 }).lean<Pick<Row, '_id'>[]>();
      return new Set(rows.map(({ _id }) => _id));
    },

    async add(ids: readonly string[], signed: keyof typeof keptMs): Promise<void> {
      const until = databaseTimeIn(keptMs[signed]);
      const updates = ids.map((_id) => ({
        updateOne: { filter: { _id }, update: [{ $set: { until } }], upsert: true },
      }));
      if (updates.length > 0) await updateRows(model, updates);
    },
  };
}
