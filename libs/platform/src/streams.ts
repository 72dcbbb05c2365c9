import { consumersOf, deadLetterStreamOf, type ServiceName, streamsOf } from '@casewatch/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import mongoose from 'mongoose';
import type { Bus } from './bus.ts';
import { unlessMissing } from './declare-streams.ts';
import type { Logger } from './logger.ts';
import type { Connection } from './mongo.ts';
import { outboxModel } from './outbox.ts';

type Stream = { name: string; subjects: readonly string[] };
type StateRow = { _id: string; created: string };
type Options = { connection: Connection; bus: Bus; log: Logger; streams: readonly Stream[] };

const schema = new mongoose.Schema<StateRow>(
  { _id: String, created: String },
  { versionKey: false, id: false, collection: 'relay_state' },
);

/**
 * A stream that was created since the relay last looked (wiped, or restored empty) gets every event of the outbox again,
 * with the same ids (architecture.md §3).
 * @throws JetStreamApiError where a stream is not declared yet
 */
export async function rebuildWipedStreams({ connection, bus, log, streams }: Options): Promise<void> {
  const manager = await jetstreamManager(bus.connection, { timeout: 2_000, checkAPI: false });
  const states = connection.model<StateRow>('relay_state', schema);
  for (const stream of streams) {
    const { created } = await manager.streams.info(stream.name);
    const known = await states.findById(stream.name).lean();
    if (known?.created === created) continue;
    if (known) {
      const { modifiedCount } = await outboxModel(connection).updateMany(
        { type: { $in: [...stream.subjects] }, published_at: { $ne: null } },
        { $set: { published_at: null } },
      );
      log.warn(
        { stream: stream.name, events: modifiedCount },
        'stream is new; rebuilding it from the outbox',
      );
    }
    await states.updateOne({ _id: stream.name }, { $set: { created } }, { upsert: true });
  }
}

/**
 * The streams and consumers of a service that are missing, or that do not yet carry every event type of this release;
 * empty once declare-streams has run.
 */
export async function undeclared(service: ServiceName, bus: Bus, timeoutMs: number): Promise<string[]> {
  const manager = await jetstreamManager(bus.connection, { timeout: timeoutMs, checkAPI: false });
  const consumers = consumersOf(service);
  const { name, subject, replaySubject } = deadLetterStreamOf(service);
  const dead = consumers.length > 0 ? [{ name, subjects: [subject, replaySubject] }] : [];
  const looks = [
    ...[...streamsOf(service), ...dead].map(async (stream) => {
      const info = await unlessMissing(manager.streams.info(stream.name));
      return holdsAll(info?.config.subjects, stream.subjects) ? [] : [stream.name];
    }),
    ...consumers.map(async ({ stream, durable, subjects }) => {
      const info = await unlessMissing(manager.consumers.info(stream, durable));
      return holdsAll(info?.config.filter_subjects, subjects) ? [] : [durable];
    }),
  ];
  return (await Promise.all(looks)).flat();
}

function holdsAll(held: readonly string[] | undefined, wanted: readonly string[]): boolean {
  return held !== undefined && wanted.every((subject) => held.includes(subject));
}
