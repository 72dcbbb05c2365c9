import { randomUUID } from 'node:crypto';
import { type EventType, type ServiceName, streamsOf } from '@casewatch/contracts';
import {
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type PubAck,
} from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { Bus } from '../bus/bus.ts';
import { messagingAttributes } from '../bus/context.ts';
import { holdLease } from '../store/lease.ts';
import type { Connection } from '../store/mongo.ts';
import { importedApi } from '../streams/imported-api.ts';
import type { Logger } from '../telemetry/logger.ts';
import { failSpan, startSpan } from '../telemetry/spans.ts';
import type { Clock } from '../timing/clock.ts';
import type { Running } from '../timing/every.ts';
import { pause } from '../timing/pause.ts';
import { createWakeableTimer, type WakeableTimer } from '../timing/wakeable-timer.ts';
import { leaseSignals } from './lease-signals.ts';
import { newRows, type OutboxRow, outboxModel } from './outbox.ts';
import { checkForLoss, nextOfRebuild, saveProgress, saveSequences } from './stream-loss.ts';
import { outboxSubject } from './subject.ts';

type Options = {
  service: ServiceName;
  connection: Connection;
  /** The connection of the lease: it does not wait behind the events. */
  leases: Connection;
  bus: Bus;
  log: Logger;
  clock: Clock;
};

/** The relay of a replica that holds the lease. */
type Relay = Pick<Options, 'connection' | 'bus' | 'log' | 'clock'> & {
  js: JetStreamClient;
  manager: JetStreamManager;
  /** The service's streams, and which events each of them takes. */
  streams: readonly { name: string; subjects: EventType[] }[];
  signal: AbortSignal;
};

type Acked = { row: OutboxRow; ack: PubAck };
type Attempt = Acked | { row: OutboxRow; ack?: undefined; error: unknown };

const leaseMs = 5_000;
/** A sweep finds what no wake-up announced, compares the streams, and tries refused events again, ms. */
const sweepMs = 5_000;
/** The next sweep after a stream did not answer or lost events, ms. */
const soonMs = 2_000;
const failedMs = 500;
const timeoutMs = 2_000;
const batchSize = 256;

/** Of the relays of this process that hold the lease: their wake-up needs no message. */
const holders = new WeakMap<Bus, WakeableTimer>();

/**
 * Publishes the outbox in one replica, and marks rows after the stream has acknowledged them. `Nats-Msg-Id` is the event's id,
 * so an event that is published twice is stored once.
 */
export function startRelay({ service, connection, leases, bus, log, clock }: Options): Running {
  return holdLease({
    connection: leases,
    log,
    name: 'relay',
    ttlMs: leaseMs,
    signals: leaseSignals(bus, log, 'relay'),
    async whileHeld({ signal }) {
      const timeout = { timeout: timeoutMs };
      const manager = await jetstreamManager(bus.connection, { ...importedApi, ...timeout, checkAPI: false });
      const js = jetstream(bus.connection, timeout);
      const timer = createWakeableTimer(signal);
      // A lost wake-up only delays events until the next sweep.
      const wakeUps = bus.connection.subscribe(outboxSubject(service), {
        callback: (error) => {
          if (error) log.warn({ err: error }, 'relay: wake-up subscription failed; polling continues');
          else timer.wake();
        },
      });
      holders.set(bus, timer);
      try {
        const streams = streamsOf(service);
        await publishInPasses({ connection, bus, log, clock, js, manager, streams, signal }, timer);
      } finally {
        holders.delete(bus);
        wakeUps.unsubscribe();
      }
    },
  });
}

/** Wakes the service's relay, in whichever replica it is. Called when a transaction that added events has ended. */
export function wakeRelay(bus: Bus, log: Logger): void {
  const holder = holders.get(bus);
  if (holder) {
    holder.wake();
    return;
  }
  try {
    if (bus.isConnected()) bus.connection.publish(outboxSubject(bus.service));
  } catch (error) {
    // The connection is closing; the next sweep publishes the event.
    log.debug({ err: error }, 'wake-up of the relay not published');
  }
}

/** Each pass publishes the new events. A rebuild goes on between passes, so that new events do not wait behind it. */
async function publishInPasses(relay: Relay, timer: WakeableTimer): Promise<void> {
  const { signal, log } = relay;
  let sweepAt = 0;
  // A former holder may have left one.
  let isRebuilding = true;
  while (!signal.aborted) {
    try {
      const isSweep = performance.now() >= sweepAt;
      if (isSweep) {
        sweepAt = performance.now() + sweepMs;
        // Before new events are published: their sequences would hide the loss of a stream's end.
        for (const { name } of relay.streams) if (await isLost(relay, name)) isRebuilding = true;
      }
      const isComplete = await publishNew(relay, isSweep);
      if (isRebuilding) isRebuilding = await republishBatch(relay);
      // After a rebuild: it leaves these out, and would publish a second time what is refused no longer.
      else if (isSweep) await publishRefused(relay);
      if (!isComplete || isRebuilding) sweepAt = Math.min(sweepAt, performance.now() + soonMs);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'relay: publishing failed; trying again');
      await pause(failedMs, signal);
      continue;
    }
    if (!isRebuilding) await timer.sleep(Math.max(0, sweepAt - performance.now()));
  }
}

async function isLost(relay: Relay, stream: string): Promise<boolean> {
  try {
    return await checkForLoss(relay, stream);
  } catch (error) {
    relay.log.warn({ stream, err: error }, 'relay: stream info not available');
    return false;
  }
}

/**
 * Publishes every new row, each stream's in the order of their ids. Refused rows do not block the rows behind them, and a
 * stream that does not answer blocks no other one. False if one did not answer.
 */
async function publishNew(relay: Relay, isSweep: boolean): Promise<boolean> {
  let isComplete = true;
  for (const { subjects } of relay.streams)
    isComplete = (await publishNewOf(relay, { $in: subjects })) && isComplete;
  // Events that no stream of the service takes: a mistake of ours, which the mark shows.
  const declared = relay.streams.flatMap(({ subjects }) => subjects);
  if (isSweep) await publishNewOf(relay, { $nin: declared });
  return isComplete;
}

async function publishNewOf(relay: Relay, type: { $in: string[] } | { $nin: string[] }): Promise<boolean> {
  const outbox = outboxModel(relay.connection);
  for (let after = ''; !relay.signal.aborted; ) {
    const filter = { ...newRows, type, _id: { $gt: after } };
    const rows = await outbox.find(filter).sort({ _id: 1 }).limit(batchSize).lean();
    const { unanswered } = await publishRows(relay, rows, ({ _id }) => _id);
    if (unanswered > 0) return false;
    if (rows.length < batchSize) break;
    after = rows.at(-1)?._id ?? after;
  }
  return true;
}

async function publishRefused(relay: Relay): Promise<void> {
  const refused = { refused_at: { $type: 'date' as const } };
  const outbox = outboxModel(relay.connection);
  while (!relay.signal.aborted) {
    const rows = await outbox.find(refused).sort({ refused_at: 1 }).limit(batchSize).lean();
    // One that was published before is a duplicate for its stream.
    const { acked } = await publishRows(relay, rows, ({ _id, published_at }) =>
      published_at ? `${_id}.${randomUUID()}` : _id,
    );
    if (acked === 0) break;
  }
}

/** Publishes one batch of a rebuild: of what a stream lost, or of a republish command. False if there is none, or no answer. */
async function republishBatch(relay: Relay): Promise<boolean> {
  const batch = await nextOfRebuild(relay, relay.streams, batchSize);
  if (!batch) return false;
  const { unanswered } = await publishRows(relay, batch.rows, ({ _id }) => `${_id}.${batch.token}`);
  // Only the unchanged position makes the next sweep publish these rows again.
  if (unanswered > 0) return false;
  await saveProgress(relay.connection, batch);
  return true;
}

/** What the stream did with rows; all but the unanswered ones are marked. */
type Publication = { acked: number; unanswered: number };

/** Publishes rows and marks them, with what the stream answered. */
async function publishRows(
  relay: Relay,
  rows: readonly OutboxRow[],
  messageId: (row: OutboxRow) => string,
): Promise<Publication> {
  if (rows.length === 0) return { acked: 0, unanswered: 0 };
  const first = await Promise.all(rows.map((row) => publishOne(relay, row, messageId(row))));
  const attempts = await publishLostDuplicates(relay, first);
  // Without the lease another replica publishes these rows again, with the same ids.
  relay.signal.throwIfAborted();
  const acked = attempts.filter((attempt) => attempt.ack !== undefined);
  const failed = attempts.filter((attempt) => attempt.ack === undefined);
  const refused = failed.filter(({ row, error }) => !isUnanswered(relay, row, error));
  if (failed.length > 0) {
    const types = [...new Set(failed.map(({ row }) => row.type))];
    const counts = { types, failed: failed.length, refused: refused.length };
    relay.log.warn({ ...counts, err: failed[0]?.error }, 'events not acknowledged by the stream');
  }
  const unknown = await saveSequences(
    relay,
    acked.map(({ ack }) => ack),
  );
  const known = acked.filter(({ ack }) => !unknown.has(ack.stream));
  await markPublished(
    relay.connection,
    known.map(({ row }) => row),
  );
  await markRefused(
    relay.connection,
    refused.map(({ row }) => row),
  );
  const unanswered = failed.length - refused.length;
  return { acked: acked.length, unanswered: unanswered + acked.length - known.length };
}

async function publishOne({ js }: Relay, row: OutboxRow, msgID: string): Promise<Attempt> {
  const { request_id, type } = row;
  // For nats-server a message without a body is the end of its consumers' pulls (ADR 0031).
  if (row.body === '') return { row, error: new Error('the event has no body') };
  const attributes = { ...messagingAttributes(type), 'messaging.message.id': msgID };
  const { context, span } = startSpan(row, { name: `publish ${type}`, kind: 'producer', attributes });
  const hdrs = headers();
  hdrs.set('x-request-id', request_id);
  hdrs.set('traceparent', context.traceparent);
  try {
    return { row, ack: await js.publish(type, row.body, { msgID, headers: hdrs, timeout: timeoutMs }) };
  } catch (error) {
    if (span) failSpan(span, 'not_acknowledged');
    return { row, error };
  } finally {
    span?.end();
  }
}

/** For 10 minutes a stream calls a message a duplicate even after a purge. Such a message needs a new id. */
async function publishLostDuplicates(relay: Relay, attempts: Attempt[]): Promise<Attempt[]> {
  const duplicates = attempts.flatMap(({ ack }) => (ack?.duplicate ? [ack.stream] : []));
  const firstSeqs = new Map<string, number>();
  for (const stream of new Set(duplicates))
    firstSeqs.set(stream, (await relay.manager.streams.info(stream)).state.first_seq);
  return await Promise.all(
    attempts.map((attempt) => {
      const { row, ack } = attempt;
      const isGone = ack?.duplicate && ack.seq < (firstSeqs.get(ack.stream) ?? 0);
      return isGone ? publishOne(relay, row, `${row._id}.${randomUUID()}`) : attempt;
    }),
  );
}

const withoutAnswer = new Set([
  'TimeoutError',
  'ClosedConnectionError',
  'DrainingConnectionError',
  'ConnectionError',
]);
/** Nobody took the message: JetStream or the stream is away. */
const withoutStream = new Set(['JetStreamNotEnabled', 'NoRespondersError']);

/** No answer does not mean that the stream refuses the event. An event that no stream is declared for is refused. */
function isUnanswered({ streams }: Relay, { type }: OutboxRow, error: unknown): boolean {
  const name = error instanceof Error ? error.name : '';
  if (withoutAnswer.has(name)) return true;
  return withoutStream.has(name) && streams.some(({ subjects }) => subjects.some((taken) => taken === type));
}

/** A repetition does not change the time of the first publication. */
async function markPublished(connection: Connection, rows: readonly OutboxRow[]): Promise<void> {
  const unmarked = rows.flatMap((row) => (!row.published_at || row.refused_at ? [row._id] : []));
  if (unmarked.length === 0) return;
  const published_at = { $ifNull: ['$published_at', '$$NOW'] };
  const change = [{ $set: { published_at } }, { $unset: ['refused_at', 'refusals'] }];
  await outboxModel(connection).updateMany({ _id: { $in: unmarked } }, change, { updatePipeline: true });
}

async function markRefused(connection: Connection, rows: readonly OutboxRow[]): Promise<void> {
  if (rows.length === 0) return;
  const refusals = { $add: [{ $ifNull: ['$refusals', 0] }, 1] };
  const change = [{ $set: { refused_at: '$$NOW', refusals } }];
  const _id = { $in: rows.map(({ _id }) => _id) };
  await outboxModel(connection).updateMany({ _id }, change, { updatePipeline: true });
}
