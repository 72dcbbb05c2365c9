import type { JsMsg } from '@nats-io/jetstream';
import mongoose from 'mongoose';
import type { Connection } from '../store/mongo.ts';

type FailureRow = { _id: string; kind: string; tries: number; first_at: Date; last_at: Date };

/** Longer than the streams keep their events (7 days), s. */
const keepSeconds = 8 * 24 * 60 * 60;

const schema = new mongoose.Schema<FailureRow>(
  { _id: String, kind: String, tries: Number, first_at: Date, last_at: Date },
  { versionKey: false, id: false, collection: 'event_failures' },
);
schema.index({ last_at: 1 }, { name: 'expiry', expireAfterSeconds: keepSeconds });

export type EventFailures = ReturnType<typeof eventFailures>;

/** The collection of failures; it is created with those of the service, before anything is consumed. */
export function eventFailuresModel(connection: Connection) {
  return connection.model<FailureRow>('event_failures', schema);
}

/**
 * Counts how often, and since when, an event fails in the same way. Deliveries do not tell: a replica that dies and a
 * dependency that is away count as deliveries too.
 */
export function eventFailures(connection: Connection) {
  const model = eventFailuresModel(connection);
  return {
    /** Notes one more failure of the event. A failure of another kind begins its own count. */
    async note(message: JsMsg, kind: string): Promise<{ tries: number; lastedMs: number }> {
      const isSame = { $eq: ['$kind', { $literal: kind }] };
      const change = {
        kind: { $literal: kind },
        tries: { $cond: [isSame, { $add: ['$tries', 1] }, 1] },
        first_at: { $cond: [isSame, '$first_at', '$$NOW'] },
        last_at: '$$NOW',
      };
      const row = await model
        .findOneAndUpdate({ _id: messageKey(message) }, [{ $set: change }], {
          upsert: true,
          returnDocument: 'after',
          updatePipeline: true,
        })
        .lean();
      return { tries: row.tries, lastedMs: row.last_at.getTime() - row.first_at.getTime() };
    },
    async forget(message: JsMsg): Promise<void> {
      await model.deleteOne({ _id: messageKey(message) });
    },
  };
}

/** The same for each delivery of a message, and another one where a stream is made again. */
export function messageKey(message: JsMsg): string {
  const { stream, consumer, timestampNanos } = message.info;
  return `${stream}/${consumer}/${message.seq}/${timestampNanos}`;
}
