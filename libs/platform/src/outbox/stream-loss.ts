import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import type { Connection } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logger.ts';
import {
  createdOf,
  noteSequence,
  noteStream,
  requestRebuild,
  type StreamState,
  streamStates,
} from './relay-state.ts';

type Loss = { reason: string; since: Date };

const everything = new Date(0);
/** The clocks of MongoDB and NATS may differ by this, and expiry may be late by this, ms. */
const marginMs = 60 * 60 * 1_000;
const nsPerMs = 1e6;

/**
 * Looks whether a stream still has what it acknowledged, and has the relay publish again what it lost (architecture.md §3).
 * @throws JetStreamApiError where the stream is not declared yet
 */
export async function lookForLoss(
  { connection, manager, log }: { connection: Connection; manager: JetStreamManager; log: Logger },
  stream: string,
): Promise<void> {
  // The state first: what is acknowledged in between makes the stream longer than it says, never shorter.
  const known = await streamStates(connection).findById(stream).lean();
  const info = await manager.streams.info(stream);
  const found = { created: info.created, seq: info.state.last_seq };
  const loss = known ? lossOf(known, info, new Date()) : null;
  if (loss) {
    log.warn({ stream, ...loss }, 'stream lost events; republishing from the outbox');
    await requestRebuild(connection, { _id: stream, since: loss.since, found });
  } else if (known?.created === undefined || known.seq === undefined) {
    await noteStream(connection, { _id: stream, ...found });
  } else if (known.seq < found.seq) await noteSequence(connection, stream, found.seq);
}

/**
 * What a stream lost: all of it where it was created since, its end after a crash of NATS, or its beginning by a purge.
 * Messages that expire are older than the stream's `max_age`; messages that are purged are younger.
 */
export function lossOf(
  known: Pick<StreamState, 'created' | 'seq' | 'checkpoints' | 'rebuild'>,
  { created, config, state }: Pick<StreamInfo, 'created' | 'config' | 'state'>,
  now: Date,
): Loss | null {
  const before = createdOf(known);
  if (before !== undefined && before !== created) return { reason: 'it is new', since: everything };
  if (known.seq !== undefined && state.last_seq < known.seq)
    return { reason: 'its end is missing', since: sinceSequence(known, state.last_seq) };
  const maxAgeMs = config.max_age === 0 ? Number.POSITIVE_INFINITY : config.max_age / nsPerMs;
  const isYoung = ({ at }: { at: Date }) => now.getTime() - at.getTime() < maxAgeMs - marginMs;
  const isPurged = known.checkpoints?.some(
    (checkpoint) => isYoung(checkpoint) && state.first_seq > checkpoint.seq + 1,
  );
  return isPurged ? { reason: 'it was purged', since: everything } : null;
}

/** A time after which everything was published that has a higher sequence. */
export function sinceSequence({ checkpoints = [] }: Pick<StreamState, 'checkpoints'>, seq: number): Date {
  return checkpoints.findLast((checkpoint) => checkpoint.seq <= seq)?.at ?? everything;
}
