import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import type { Connection } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Clock } from '../timing/clock.ts';
import { createdOf, requestRebuild, type StreamState, saveSequence, saveStream } from './relay-state.ts';

type Loss = { reason: string; since: Date };

const everything = new Date(0);
/** Largest difference between the clocks of MongoDB and NATS, with late expiry, ms. */
const marginMs = 60 * 60 * 1_000;
const nsPerMs = 1e6;

type Relay = { connection: Connection; manager: JetStreamManager; log: Logger; clock: Clock };

/**
 * Requests a rebuild if a stream lost acknowledged events (architecture.md §3). `saved` is read before the call: an event that
 * is acknowledged in between cannot look like a loss. Returns whether a rebuild is requested, by this or by an operator.
 * @throws JetStreamApiError without the stream
 */
export async function checkForLoss(
  { connection, manager, log, clock }: Relay,
  stream: string,
  saved: StreamState | undefined,
): Promise<boolean> {
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
  return loss !== null || Boolean(saved?.rebuild);
}

/** A stream may be recreated, truncated (crash of NATS) or purged. Expired messages are older than `max_age` and no loss. */
export function lossOf(
  saved: Pick<StreamState, 'created' | 'seq' | 'checkpoints' | 'rebuild'>,
  { created, config, state }: Pick<StreamInfo, 'created' | 'config' | 'state'>,
  now: Date,
): Loss | null {
  const savedCreated = createdOf(saved);
  if (savedCreated !== undefined && savedCreated !== created)
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
export function sinceSequence({ checkpoints = [] }: Pick<StreamState, 'checkpoints'>, seq: number): Date {
  return checkpoints.findLast((checkpoint) => checkpoint.seq <= seq)?.at ?? everything;
}
