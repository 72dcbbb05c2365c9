import type { ServiceName } from '@casewatch/contracts';
import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import mongoose from 'mongoose';
import type { Bus } from './bus.ts';
import type { Logger } from './logger.ts';
import type { Connection } from './mongo.ts';
import { outboxModel } from './outbox.ts';

type Stream = { name: string; subjects: readonly string[] };
type StateRow = { _id: string; created: string };
type Options = {
  service: ServiceName;
  connection: Connection;
  bus: Bus;
  log: Logger;
  replicas: number;
  streams: readonly Stream[];
};

const day = 24 * 60 * 60 * 1e9;
const minute = 60 * 1e9;
const streamNotFound = 10_059;

const schema = new mongoose.Schema<StateRow>(
  { _id: String, created: String },
  { versionKey: false, id: false, collection: 'relay_state' },
);

/**
 * Declares the streams of their publisher. One that was made anew since we last looked (wiped, or restored
 * empty) gets every event of the outbox again, with the same ids (architecture.md §3).
 */
export async function declareStreams({ connection, bus, log, replicas, streams }: Options): Promise<void> {
  const manager = await jetstreamManager(bus.connection, { timeout: 2_000, checkAPI: false });
  const states = connection.model<StateRow>('relay_state', schema);
  for (const stream of streams) {
    const created = await declareStream(manager, stream, { replicas, maxAgeNs: 7 * day });
    const known = await states.findById(stream.name).lean();
    if (known?.created === created) continue;
    if (known) {
      const { modifiedCount } = await outboxModel(connection).updateMany(
        { type: { $in: [...stream.subjects] }, published_at: { $ne: null } },
        { $set: { published_at: null } },
      );
      log.warn(
        { stream: stream.name, events: modifiedCount },
        'stream was made anew; rebuilding it from the outbox',
      );
    }
    await states.updateOne({ _id: stream.name }, { $set: { created } }, { upsert: true });
  }
}

/** Makes or updates one stream and returns when it was created, which names its incarnation. */
export async function declareStream(
  manager: JetStreamManager,
  stream: Stream,
  { replicas, maxAgeNs }: { replicas: number; maxAgeNs: number },
): Promise<string> {
  const settings = {
    subjects: [...stream.subjects],
    max_age: maxAgeNs,
    duplicate_window: 10 * minute,
    discard: DiscardPolicy.New,
    num_replicas: replicas,
  };
  const info = await manager.streams.info(stream.name).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === streamNotFound) return null;
    throw error;
  });
  if (!info) {
    const fixed = { name: stream.name, storage: StorageType.File, retention: RetentionPolicy.Limits };
    const added = await manager.streams.add({ ...fixed, ...settings });
    return added.created;
  }
  const wanted = [...stream.subjects].sort().join();
  const { config } = info;
  const isCurrent =
    [...config.subjects].sort().join() === wanted &&
    config.num_replicas === replicas &&
    config.max_age === maxAgeNs;
  if (!isCurrent) await manager.streams.update(stream.name, settings);
  return info.created;
}
