import { type Base, transaction } from '@casewatch/platform';

type Handled = { _id: string };
type Mail = { event: string };

/**
 * The effect of an event as services have it: the first delivery inserts a document with the event's id and, in the same
 * transaction, a mail; a later one finds the document and does nothing.
 */
export async function createEffects({ db: first }: Base<'notifier'>) {
  await Promise.all(['handled', 'mails'].map((name) => first.createCollection(name)));
  return {
    /** Handles one delivery in a replica. */
    async make({ db }: Base<'notifier'>, _id: string): Promise<void> {
      await transaction(db, async (session) => {
        const handled = db.collection<Handled>('handled');
        if (await handled.findOne({ _id }, { session })) return;
        await handled.insertOne({ _id }, { session });
        await db.collection<Mail>('mails').insertOne({ event: _id }, { session });
      });
    },
    /** The event of each mail. */
    async mails(): Promise<string[]> {
      return (await first.collection<Mail>('mails').find().toArray()).map(({ event }) => event);
    },
  };
}
