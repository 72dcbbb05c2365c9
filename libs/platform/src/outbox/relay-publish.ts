import { randomUUID } from 'node:crypto';
import { type JetStreamClient, type JetStreamManager, jetstream, type PubAck } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { UpdateWithAggregationPipeline } from 'mongoose';
import type { Bus } from '../bus/bus.ts';
import type { Connection } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type OutboxRow, outboxModel } from './outbox.ts';
import { createdOf, requestRebuild, saveSequence, streamStates } from './relay-state.ts';
import { sinceSequence } from './stream-loss.ts';

export type Publishing = {
  connection: Connection;
  bus: Bus;
  manager: JetStreamManager;
  log: Logger;
  signal: AbortSignal;
};

type Attempt = { row: OutboxRow; ack?: PubAck; error?: unknown };

const timeoutMs = 2_000;

/** Errors without an answer of the stream: they do not mean that it refuses the event. */
const unansweredNames = new Set([
  'TimeoutError',
  'ClosedConnectionError',
  'DrainingConnectionError',
  'ConnectionError',
]);

/** Marks each row as acknowledged or refused. @throws the first error if none was acknowledged and some were unanswered */
export async function publishRows(
  publishing: Publishing,
  rows: OutboxRow[],
  messageId: (row: OutboxRow) => string,
): Promise<{ acked: number; unanswered: number }> {
  const { connection, bus, log, signal } = publishing;
  const js = jetstream(bus.connection, { timeout: timeoutMs });
  const first = await Promise.all(rows.map((row) => publishOne(js, row, messageId(row))));
  const attempts = await publishLostDuplicates(publishing, js, first);
  // Without the lease another replica publishes these rows again, with the same ids.
  signal.throwIfAborted();
  const acked = attempts.filter(({ ack }) => ack !== undefined);
  const failed = attempts.filter(({ ack }) => ack === undefined);
  const refused = failed.filter(({ error }) => !(error instanceof Error && unansweredNames.has(error.name)));
  const unanswered = failed.length - refused.length;
  if (failed.length > 0) {
    const types = [...new Set(failed.map(({ row }) => row.type))];
    const counts = { types, failed: failed.length, refused: refused.length };
    log.warn({ ...counts, err: failed[0]?.error }, 'events not acknowledged by the stream');
  }
  await saveSequences(publishing, acked);
  await markRows(connection, acked, refused);
  if (acked.length === 0 && unanswered > 0) throw failed[0]?.error;
  return { acked: acked.length, unanswered };
}

async function publishOne(js: JetStreamClient, row: OutboxRow, msgID: string): Promise<Attempt> {
  const hdrs = headers();
  hdrs.set('x-request-id', row.request_id);
  hdrs.set('traceparent', row.traceparent);
  try {
    return { row, ack: await js.publish(row.type, row.body, { msgID, headers: hdrs, timeout: timeoutMs }) };
  } catch (error) {
    return { row, error };
  }
}

/** For 10 minutes a stream calls a message a duplicate even after a purge. Such a message needs a new id. */
async function publishLostDuplicates(
  { manager }: Publishing,
  js: JetStreamClient,
  attempts: Attempt[],
): Promise<Attempt[]> {
  const duplicates = attempts.flatMap(({ ack }) => (ack?.duplicate ? [ack.stream] : []));
  const firstSeqs = new Map<string, number>();
  for (const stream of new Set(duplicates))
    firstSeqs.set(stream, (await manager.streams.info(stream)).state.first_seq);
  return await Promise.all(
    attempts.map((attempt) => {
      const { row, ack } = attempt;
      const isLost = ack?.duplicate && ack.seq < (firstSeqs.get(ack.stream) ?? 0);
      return isLost ? publishOne(js, row, `${row._id}.${randomUUID()}`) : attempt;
    }),
  );
}

/** Saves sequences before rows are marked. In the other order a crash in between would hide a lost end of the stream. */
async function saveSequences({ connection, manager, log }: Publishing, acked: Attempt[]): Promise<void> {
  const acks = acked.flatMap(({ ack }) => (ack && !ack.duplicate ? [ack] : []));
  for (const stream of new Set(acks.map((ack) => ack.stream))) {
    const seqs = acks.filter((ack) => ack.stream === stream).map(({ seq }) => seq);
    const [first, last] = [Math.min(...seqs), Math.max(...seqs)];
    const state = await streamStates(connection).findById(stream).lean();
    // The first check for loss saves the state of a new stream.
    if (state?.seq === undefined) continue;
    if (first > state.seq) {
      await saveSequence(connection, stream, last);
      continue;
    }
    log.warn(
      { stream, seq: first },
      'stream was recreated or truncated; republishing lost events from the outbox',
    );
    const { created } = await manager.streams.info(stream);
    const since = created === createdOf(state) ? sinceSequence(state, first - 1) : new Date(0);
    await requestRebuild(connection, { _id: stream, since, stream: { created, seq: last } });
  }
}

async function markRows(connection: Connection, acked: Attempt[], refused: Attempt[]): Promise<void> {
  const model = outboxModel(connection);
  const update = async (attempts: Attempt[], pipeline: UpdateWithAggregationPipeline) => {
    const _id = { $in: attempts.map(({ row }) => row._id) };
    if (attempts.length > 0) await model.updateMany({ _id }, pipeline, { updatePipeline: true });
  };
  const published_at = { $ifNull: ['$published_at', '$$NOW'] };
  const refusals = { $add: [{ $ifNull: ['$refusals', 0] }, 1] };
  const unmarked = acked.filter(({ row }) => !row.published_at || row.refused_at);
  await update(unmarked, [{ $set: { published_at } }, { $unset: ['refused_at', 'refusals'] }]);
  await update(refused, [{ $set: { refused_at: '$$NOW', refusals } }]);
}
