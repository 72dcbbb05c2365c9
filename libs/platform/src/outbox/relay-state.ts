import { randomUUID } from 'node:crypto';
import { collection } from '../store/collection.ts';
import type { Connection } from '../store/mongo.ts';
import { newRows, outboxModel } from './outbox.ts';

/** At `at`, on the database's clock, `seq` was the stream's last sequence. */
type Checkpoint = { seq: number; at: Date };

/** Rows to publish again: those published from `since` to `until`. */
type Rebuild = {
  /** Part of each `Nats-Msg-Id`: the stream may still call the first id a duplicate. */
  token: string;
  since: Date;
  until: Date;
  after: string;
  events: number;
  /** Replaces the state's `created` at the end, so that the previous release starts the rebuild again. */
  created?: string;
};

export type StreamState = {
  _id: string;
  created?: string;
  seq?: number;
  checkpoints?: Checkpoint[];
  rebuild?: Rebuild;
};

const hourMs = 60 * 60 * 1_000;
/** One for each hour that outbox rows live (8 days), and some more. */
const maxCheckpoints = 200;

export const streamStates = collection<StreamState>('relay_state', String);

/** Read by one command: the saved states by stream, and whether the outbox has an event that no stream has seen. */
export async function readOutboxState(connection: Connection, streams: readonly string[]) {
  const aNewEvent = [{ $match: newRows }, { $limit: 1 }, { $project: { _id: 0, isNew: { $literal: true } } }];
  const rows = await streamStates(connection).aggregate<StreamState & { isNew?: true }>([
    { $match: { _id: { $in: [...streams] } } },
    { $unionWith: { coll: outboxModel(connection).collection.collectionName, pipeline: aNewEvent } },
  ]);
  const states = new Map(rows.filter((row) => !row.isNew).map((row) => [row._id, row]));
  return { states, hasNewEvent: rows.some((row) => row.isNew === true) };
}

export function createdOf({
  created,
  rebuild,
}: Pick<StreamState, 'created' | 'rebuild'>): string | undefined {
  return rebuild?.created ?? created;
}

export async function saveStream(
  connection: Connection,
  { _id, created, seq }: { _id: string; created: string; seq: number },
): Promise<void> {
  const state = { created, seq, checkpoints: [{ seq, at: '$$NOW' }] };
  const options = { upsert: true, updatePipeline: true };
  await streamStates(connection).updateOne({ _id }, [{ $set: state }], options);
}

/** Adds a checkpoint an hour. False, without a change, unless the saved sequence is lower than `first`. */
export async function saveSequence(
  connection: Connection,
  _id: string,
  { first, last }: { first: number; last: number },
): Promise<boolean> {
  const checkpoints = { $ifNull: ['$checkpoints', []] };
  const more = { $concatArrays: [checkpoints, [{ seq: '$seq', at: '$$NOW' }]] };
  const isDue = { $lt: [{ $last: '$checkpoints.at' }, { $subtract: ['$$NOW', hourMs] }] };
  const change = {
    seq: last,
    checkpoints: { $cond: [isDue, { $slice: [more, -maxCheckpoints] }, checkpoints] },
  };
  const filter = { _id, seq: { $lt: first } };
  const options = { updatePipeline: true };
  return (await streamStates(connection).updateOne(filter, [{ $set: change }], options)).matchedCount === 1;
}

/** Requests a rebuild of events published since a time. It extends a rebuild in progress. `stream`: its state after a loss. */
export async function requestRebuild(
  connection: Connection,
  { _id, since, stream }: { _id: string; since: Date; stream?: { created: string; seq: number } },
): Promise<void> {
  const rebuild = {
    token: randomUUID(),
    since: { $min: ['$rebuild.since', since] },
    until: '$$NOW',
    after: '',
    events: 0,
    created: stream?.created ?? { $ifNull: ['$rebuild.created', '$created'] },
  };
  const state = stream ? { seq: stream.seq, checkpoints: [{ seq: stream.seq, at: '$$NOW' }] } : {};
  const options = { upsert: true, updatePipeline: true };
  await streamStates(connection).updateOne({ _id }, [{ $set: { rebuild, ...state } }], options);
}

export async function saveProgress(
  connection: Connection,
  _id: string,
  { token, after, events }: { token: string; after: string; events: number },
): Promise<void> {
  const change = { $set: { 'rebuild.after': after }, $inc: { 'rebuild.events': events } };
  await streamStates(connection).updateOne({ _id, 'rebuild.token': token }, change);
}

export async function endRebuild(connection: Connection, _id: string, token: string): Promise<void> {
  const created = { $ifNull: ['$rebuild.created', '$created'] };
  const change = [{ $set: { created } }, { $unset: 'rebuild' }];
  await streamStates(connection).updateOne({ _id, 'rebuild.token': token }, change, { updatePipeline: true });
}
