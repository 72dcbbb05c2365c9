import type { JsMsg } from '@nats-io/jetstream';
import { collection } from '../store/collection.ts';
import type { Connection } from '../store/mongo.ts';

type FailureRow = { _id: string; kind: string; tries: number; first_at: Date; last_at: Date };

/** Longer than the streams keep their events (7 days), s. */
const keepSeconds = 8 * 24 * 60 * 60;

export const eventFailuresModel = collection<FailureRow>('event_failures', String, [
  { name: 'expiry', keys: { last_at: 1 }, expireAfterSeconds: keepSeconds },
]);

export type EventFailures = ReturnType<typeof eventFailures>;

/** Counts the failures of events. JetStream's delivery count also grows when a replica dies or a dependency is away. */
export function eventFailures(connection: Connection) {
  const model = eventFailuresModel(connection);
  return {
    async add(message: JsMsg, kind: string): Promise<{ tries: number; lastedMs: number }> {
      const isSame = { $eq: ['$kind', { $literal: kind }] };
      const change = {
        kind: { $literal: kind },
        tries: { $cond: [isSame, { $add: ['$tries', 1] }, 1] },
        first_at: { $cond: [isSame, '$first_at', '$$NOW'] },
        last_at: '$$NOW',
      };
      const options = { upsert: true, returnDocument: 'after', updatePipeline: true } as const;
      const row = await model
        .findOneAndUpdate({ _id: messageKey(message) }, [{ $set: change }], options)
        .lean();
      return { tries: row.tries, lastedMs: row.last_at.getTime() - row.first_at.getTime() };
    },
    async delete(message: JsMsg): Promise<void> {
      await model.deleteOne({ _id: messageKey(message) });
    },
  };
}

/** The same for each delivery of a message; different after the stream is created again. */
export function messageKey(message: JsMsg): string {
  const { stream, consumer, timestampNanos } = message.info;
  return `${stream}/${consumer}/${message.seq}/${timestampNanos}`;
}
