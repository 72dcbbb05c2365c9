import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import type { Connection } from '../store/mongo.ts';

/** At `at`, on the database's clock, the last sequence of the stream was `seq`: later events have higher ones. */
type Checkpoint = { seq: number; at: Date };

/** Rows that are published again: those that were published from `since` to `until`. */
type Rebuild = {
  /** Part of each message's `Nats-Msg-Id`: the stream may still call the id of the first time a duplicate. */
  token: string;
  since: Date;
  until: Date;
  /** The last row that was looked at. */
  after: string;
  events: number;
  /** Becomes the state's at the end, so that the release before this one begins again where it takes over. */
  created?: string;
};

/** What the relay knows of one stream. */
export type StreamState = {
  _id: string;
  created?: string;
  /** The highest sequence that the stream acknowledged. */
  seq?: number;
  checkpoints?: Checkpoint[];
  rebuild?: Rebuild;
};

const hourMs = 60 * 60 * 1_000;
/** One for each hour that rows of the outbox live, and some. */
const maxCheckpoints = 200;

const schema = new mongoose.Schema<StreamState>(
  {
    _id: String,
    created: String,
    seq: Number,
    checkpoints: [{ _id: false, seq: Number, at: Date }],
    rebuild: { token: String, since: Date, until: Date, after: String, events: Number, created: String },
  },
  { versionKey: false, id: false, collection: 'relay_state' },
);

export function streamStates(connection: Connection) {
  return connection.model<StreamState>('relay_state', schema);
}

/** The creation time of the stream that the relay publishes to; undefined where it has not looked yet. */
export function createdOf({
  created,
  rebuild,
}: Pick<StreamState, 'created' | 'rebuild'>): string | undefined {
  return rebuild?.created ?? created;
}

/** Notes a stream that this relay has not seen before. */
export async function noteStream(
  connection: Connection,
  { _id, created, seq }: { _id: string; created: string; seq: number },
): Promise<void> {
  const known = { created, seq, checkpoints: [{ seq, at: '$$NOW' }] };
  await streamStates(connection).updateOne({ _id }, [{ $set: known }], {
    upsert: true,
    updatePipeline: true,
  });
}

/** Notes the highest sequence of a stream, with a checkpoint in each hour that has events. */
export async function noteSequence(connection: Connection, _id: string, seq: number): Promise<void> {
  const checkpoints = { $ifNull: ['$checkpoints', []] };
  const more = { $concatArrays: [checkpoints, [{ seq: '$seq', at: '$$NOW' }]] };
  const isDue = { $lt: [{ $last: '$checkpoints.at' }, { $subtract: ['$$NOW', hourMs] }] };
  const change = {
    seq: { $max: ['$seq', seq] },
    checkpoints: { $cond: [isDue, { $slice: [more, -maxCheckpoints] }, checkpoints] },
  };
  await streamStates(connection).updateOne({ _id }, [{ $set: change }], { updatePipeline: true });
}

/**
 * Has the relay publish again what was published since a time, wider where that is under way already. After a loss,
 * `found` is what the stream is now.
 */
export async function requestRebuild(
  connection: Connection,
  { _id, since, found }: { _id: string; since: Date; found?: { created: string; seq: number } },
): Promise<void> {
  const rebuild = {
    token: randomUUID(),
    since: { $min: ['$rebuild.since', since] },
    until: '$$NOW',
    after: '',
    events: 0,
    created: found?.created ?? { $ifNull: ['$rebuild.created', '$created'] },
  };
  const state = found ? { seq: found.seq, checkpoints: [{ seq: found.seq, at: '$$NOW' }] } : {};
  await streamStates(connection).updateOne({ _id }, [{ $set: { rebuild, ...state } }], {
    upsert: true,
    updatePipeline: true,
  });
}

/** Notes how far a rebuild is, unless another one was asked for meanwhile. */
export async function noteProgress(
  connection: Connection,
  _id: string,
  { token, after, events }: { token: string; after: string; events: number },
): Promise<void> {
  const change = { $set: { 'rebuild.after': after }, $inc: { 'rebuild.events': events } };
  await streamStates(connection).updateOne({ _id, 'rebuild.token': token }, change);
}

/** The rebuild is at its end. */
export async function endRebuild(connection: Connection, _id: string, token: string): Promise<void> {
  const created = { $ifNull: ['$rebuild.created', '$created'] };
  await streamStates(connection).updateOne(
    { _id, 'rebuild.token': token },
    [{ $set: { created } }, { $unset: 'rebuild' }],
    { updatePipeline: true },
  );
}
