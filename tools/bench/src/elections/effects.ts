import { type Base, transaction } from '@casewatch/platform';

type Effect = { _id: string };
type Total = { _id: string; effects: number };

/**
 * The effect of an event as services have it: the first delivery inserts a document with the event's id and, in the same
 * transaction, counts; a later one finds the document and does nothing.
 */
export async function createEffects(notifiers: readonly Base<'notifier'>[]) {
  const [first] = notifiers;
  if (!first) throw new Error('there is a notifier');
  const effects = first.db.collection<Effect>('effects');
  const totals = first.db.collection<Total>('totals');
  await first.db.createCollection('effects');
  await totals.insertMany(notifiers.map((_, i) => ({ _id: `replica-${i}`, effects: 0 })));
  return {
    /** Handles one delivery in a replica. */
    async make(replica: number, id: string): Promise<void> {
      const { db } = notifiers[replica] ?? first;
      await transaction(db, async (session) => {
        const known = await db.collection<Effect>('effects').findOne({ _id: id }, { session });
        if (known) return;
        await db.collection<Effect>('effects').insertOne({ _id: id }, { session });
        await db
          .collection<Total>('totals')
          .updateOne({ _id: `replica-${replica}` }, { $inc: { effects: 1 } }, { session });
      });
    },
    count: () => effects.countDocuments(),
    async found() {
      const counted = (await totals.find().toArray()).reduce((sum, total) => sum + total.effects, 0);
      return { handled: new Set((await effects.find().toArray()).map(({ _id }) => _id)), counted };
    },
  };
}
