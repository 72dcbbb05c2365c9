import { randomUUID } from 'node:crypto';
import type { JetStreamManager, PubAck, StreamInfo } from '@nats-io/jetstream';
import { collection } from '../store/collection.ts';
import type { Connection } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Clock } from '../timing/clock.ts';
import { type OutboxRow, outboxModel } from './outbox.ts';

/** At `at`, on the database's clock, `seq` was the stream's last sequence. */
type Checkpoint = { seq: number; at: Date };

/** Rows to publish again: those published from `since` to `until`. */
type Rebuild = {
  /** Part of each `Nats-Msg-Id`: the stream may still call the first id a duplicate. */
  token: string;
  since: Date;
  until: Date;
  /** The rebuild has come this far: all rows up to this id are published again. */
  after: string;
  events: number;
  /** It publishes what is missing in the middle of the stream, too. */
  fillsGaps: boolean;
};

/** What the relay knows of a stream: which one it is, and its last sequence. Both are saved before the rows are marked. */
type StreamState = {
  _id: string;
  created?: string;
  seq?: number;
  checkpoints?: Checkpoint[];
  rebuild?: Rebuild;
  /** Messages that are missing between the first and the last one. Nothing in this system deletes any. */
  missing?: number;
  /** How many of them an operator has had published again. */
  republished?: number;
};

type Loss = { reason: string; since: Date };

type Relay = { connection: Connection; manager: JetStreamManager; log: Logger; clock: Clock };

const hourMs = 60 * 60 * 1_000;
/** One for each hour that outbox rows live (8 days), and some more. */
const maxCheckpoints = 200;
/** Largest difference between the clocks of MongoDB and NATS, with late expiry, ms. */
const marginMs = hourMs;
const nsPerMs = 1e6;
const everything = new Date(0);

const streamStates = collection<StreamState>('relay_state', String);

/**
 * Requests a rebuild if a stream lost acknowledged events (architecture.md §3). Returns whether one is requested, by this or by
 * an operator. @throws JetStreamApiError without the stream
 */
export async function checkForLoss(relay: Relay, stream: string): Promise<boolean> {
  const { connection, manager, log, clock } = relay;
  // Read before the stream: an event that is acknowledged in between cannot look like a loss.
  const saved = await streamStates(connection).findById(stream).lean();
  const info = await manager.streams.info(stream);
  const current = { created: info.created, seq: info.state.last_seq };
  const loss = saved ? lossOf(saved, info, clock.now()) : null;
  if (loss) {
    log.warn({ stream, ...loss }, 'stream lost events; republishing from the outbox');
    await requestRebuild(connection, { _id: stream, since: loss.since, stream: current });
  } else if (saved?.created === undefined || saved.seq === undefined) {
    await saveStream(connection, { _id: stream, ...current });
  } else if (saved.seq < current.seq)
    await saveSequence(connection, stream, { first: current.seq, last: current.seq });
  await noteMissing(relay, stream, { saved: saved ?? undefined, missing: info.state.num_deleted ?? 0 });
  return loss !== null || Boolean(saved?.rebuild);
}

/** A stream may be recreated, truncated (crash of NATS) or purged. Expired messages are older than `max_age` and no loss. */
export function lossOf(
  saved: Pick<StreamState, 'created' | 'seq' | 'checkpoints'>,
  { created, config, state }: Pick<StreamInfo, 'created' | 'config' | 'state'>,
  now: Date,
): Loss | null {
  if (saved.created !== undefined && saved.created !== created)
    return { reason: 'recreated', since: everything };
  if (saved.seq !== undefined && state.last_seq < saved.seq)
    return { reason: 'truncated', since: sinceSequence(saved, state.last_seq) };
  const maxAgeMs = config.max_age === 0 ? Number.POSITIVE_INFINITY : config.max_age / nsPerMs;
  const isYoung = ({ at }: { at: Date }) => now.getTime() - at.getTime() < maxAgeMs - marginMs;
  const isPurged = saved.checkpoints?.some(
    (checkpoint) => isYoung(checkpoint) && state.first_seq > checkpoint.seq + 1,
  );
  return isPurged ? { reason: 'purged', since: everything } : null;
}

/** A time before the publication of every event after `seq`. */
function sinceSequence({ checkpoints = [] }: Pick<StreamState, 'checkpoints'>, seq: number): Date {
  return checkpoints.findLast((checkpoint) => checkpoint.seq <= seq)?.at ?? everything;
}

/**
 * Messages in the middle of a stream tell nothing of their rows, so an operator decides since when to republish. What a
 * republication has covered raises no alarm again.
 */
async function noteMissing(
  { connection, log }: Relay,
  stream: string,
  { saved, missing }: { saved: StreamState | undefined; missing: number },
): Promise<void> {
  if (missing === (saved?.missing ?? 0)) return;
  // Those that have expired do not cover others.
  const republished = Math.min(saved?.republished ?? 0, missing);
  await streamStates(connection).updateOne({ _id: stream }, { $set: { missing, republished } });
  if (missing > (saved?.missing ?? 0))
    log.error(
      { alarm: 'stream_gaps', stream, missing: missing - republished },
      'messages in the middle of a stream are missing; run republish since before they went',
    );
}

/** Messages that are missing in the middle of each stream, and that nobody has had published again. */
export async function readGaps(connection: Connection): Promise<Map<string, number>> {
  const states = await streamStates(connection).find({}, { missing: 1, republished: 1 }).lean();
  return new Map(states.map(({ _id, missing = 0, republished = 0 }) => [_id, missing - republished]));
}

/**
 * Saves the sequences of acknowledgements before their rows are marked. In the other order a crash in between would hide a lost
 * end of the stream. Returns the streams that had no saved state. Their rows stay new: the stream may be lost by now, and only
 * a known stream shows that. The next pass publishes them with the same ids.
 */
export async function saveSequences(relay: Relay, acks: readonly PubAck[]): Promise<ReadonlySet<string>> {
  const { connection, manager, log } = relay;
  const unknown = new Set<string>();
  const added = acks.filter(({ duplicate }) => !duplicate);
  for (const [stream, ofStream] of Map.groupBy(added, (ack) => ack.stream)) {
    const seqs = ofStream.map(({ seq }) => seq);
    const [first, last] = [Math.min(...seqs), Math.max(...seqs)];
    if (await saveSequence(connection, stream, { first, last })) continue;
    const state = await streamStates(connection).findById(stream).lean();
    if (state?.seq === undefined) {
      await checkForLoss(relay, stream);
      unknown.add(stream);
      continue;
    }
    log.warn({ stream, seq: first }, 'stream was recreated or truncated; republishing from the outbox');
    const { created } = await manager.streams.info(stream);
    const since = created === state.created ? sinceSequence(state, first - 1) : everything;
    await requestRebuild(connection, { _id: stream, since, stream: { created, seq: last } });
  }
  return unknown;
}

async function saveStream(
  connection: Connection,
  { _id, created, seq }: { _id: string; created: string; seq: number },
): Promise<void> {
  const state = { created, seq, checkpoints: [{ seq, at: '$$NOW' }] };
  const options = { upsert: true, updatePipeline: true };
  await streamStates(connection).updateOne({ _id }, [{ $set: state }], options);
}

/** Adds a checkpoint an hour. False, without a change, unless the saved sequence is lower than `first`. */
async function saveSequence(
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
    // The end of a stream says nothing of its middle; an operator chose the time for it.
    fillsGaps: { $or: [stream === undefined || since <= everything, '$rebuild.fillsGaps'] },
  };
  const state = stream && { ...stream, checkpoints: [{ seq: stream.seq, at: '$$NOW' }] };
  const options = { upsert: true, updatePipeline: true };
  await streamStates(connection).updateOne({ _id }, [{ $set: { rebuild, ...state } }], options);
}

/** A part of a rebuild: `rows` are to be published again; with `last` it is stored that they were. */
export type RebuildBatch = { stream: string; token: string; rows: OutboxRow[]; last: string };

/**
 * The next rows of a rebuild that is in progress, of one of these streams, and ends those that have no more. Refused events are
 * left out: they have tries of their own. Null if no rebuild is in progress.
 */
export async function nextOfRebuild(
  { connection, log }: Pick<Relay, 'connection' | 'log'>,
  streams: readonly { name: string; subjects: readonly string[] }[],
  limit: number,
): Promise<RebuildBatch | null> {
  for (const { name, subjects } of streams) {
    const { rebuild, missing = 0 } = (await streamStates(connection).findById(name).lean()) ?? {};
    if (!rebuild) continue;
    const { token, since, until, after } = rebuild;
    const _id = { $gt: after };
    const rows = await outboxModel(connection).find({ _id }).sort({ _id: 1 }).limit(limit).lean();
    const last = rows.at(-1);
    if (!last) {
      const end = {
        $unset: { rebuild: 1 as const },
        ...(rebuild.fillsGaps && { $set: { republished: missing } }),
      };
      await streamStates(connection).updateOne({ _id: name, 'rebuild.token': token }, end);
      log.info({ stream: name, events: rebuild.events }, 'events published again');
      continue;
    }
    const isLost = ({ type, published_at, refused_at }: OutboxRow) =>
      subjects.includes(type) &&
      !refused_at &&
      published_at !== null &&
      published_at >= since &&
      published_at < until;
    return { stream: name, token, rows: rows.filter(isLost), last: last._id };
  }
  return null;
}

export async function saveProgress(
  connection: Connection,
  { stream, token, rows, last }: RebuildBatch,
): Promise<void> {
  const change = { $set: { 'rebuild.after': last }, $inc: { 'rebuild.events': rows.length } };
  await streamStates(connection).updateOne({ _id: stream, 'rebuild.token': token }, change);
}
