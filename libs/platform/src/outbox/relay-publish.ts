import { randomUUID } from 'node:crypto';
import { type JetStreamClient, type JetStreamManager, jetstream, type PubAck } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { Bus } from '../bus/bus.ts';
import type { Connection } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type OutboxRow, outboxModel } from './outbox.ts';
import { createdOf, noteSequence, requestRebuild, streamStates } from './relay-state.ts';
import { sinceSequence } from './stream-loss.ts';

export type Publishing = {
  connection: Connection;
  bus: Bus;
  manager: JetStreamManager;
  log: Logger;
  signal: AbortSignal;
};

type Try = { row: OutboxRow; ack?: PubAck; error?: unknown };

const timeoutMs = 2_000;

/** Failures that say nothing of the event: the stream did not answer. */
const awayNames = new Set([
  'TimeoutError',
  'ClosedConnectionError',
  'DrainingConnectionError',
  'ConnectionError',
]);

/**
 * Publishes rows and marks those that the stream acknowledged; those that it refuses are noted as such.
 * @returns how many were acknowledged, and for how many the stream did not answer
 * @throws the last failure where none was and the stream does not answer
 */
export async function publishRows(
  publishing: Publishing,
  rows: OutboxRow[],
  messageId: (row: OutboxRow) => string,
): Promise<{ acked: number; away: number }> {
  const { connection, bus, log, signal } = publishing;
  const js = jetstream(bus.connection, { timeout: timeoutMs });
  const tries = await Promise.all(rows.map((row) => publishOne(js, row, messageId(row))));
  const settled = await publishLostDuplicates(publishing, js, tries);
  // Another replica may be at it by now: it publishes these rows again, with the same ids.
  signal.throwIfAborted();
  const acked = settled.filter((one) => one.ack !== undefined);
  const failed = settled.filter((one) => one.ack === undefined);
  const refused = failed.filter(({ error }) => !(error instanceof Error && awayNames.has(error.name)));
  const away = failed.length - refused.length;
  if (failed.length > 0) {
    const types = [...new Set(failed.map(({ row }) => row.type))];
    const counts = { types, failed: failed.length, refused: refused.length };
    log.warn({ ...counts, err: failed[0]?.error }, 'events not acknowledged by the stream');
  }
  await noteAcks(publishing, acked);
  await mark(connection, acked, refused);
  if (acked.length === 0 && away > 0) throw failed[0]?.error;
  return { acked: acked.length, away };
}

async function publishOne(js: JetStreamClient, row: OutboxRow, msgID: string): Promise<Try> {
  const hdrs = headers();
  hdrs.set('x-request-id', row.request_id);
  hdrs.set('traceparent', row.traceparent);
  try {
    return { row, ack: await js.publish(row.type, row.body, { msgID, headers: hdrs, timeout: timeoutMs }) };
  } catch (error) {
    return { row, error };
  }
}

/** A stream calls a message a duplicate for 10 minutes, also where it was purged meanwhile: then another id gets it through. */
async function publishLostDuplicates(
  { manager }: Publishing,
  js: JetStreamClient,
  tries: Try[],
): Promise<Try[]> {
  const duplicates = tries.flatMap(({ ack }) => (ack?.duplicate ? [ack.stream] : []));
  if (duplicates.length === 0) return tries;
  const firsts = new Map<string, number>();
  for (const stream of new Set(duplicates))
    firsts.set(stream, (await manager.streams.info(stream)).state.first_seq);
  return await Promise.all(
    tries.map((one) =>
      one.ack?.duplicate && one.ack.seq < (firsts.get(one.ack.stream) ?? 0)
        ? publishOne(js, one.row, `${one.row._id}.${randomUUID()}`)
        : one,
    ),
  );
}

/** Notes sequences before rows are marked: with the mark alone, a loss of the stream's end would not be seen. */
async function noteAcks({ connection, manager, log }: Publishing, acked: Try[]): Promise<void> {
  const acks = acked.flatMap(({ ack }) => (ack && !ack.duplicate ? [ack] : []));
  for (const stream of new Set(acks.map((ack) => ack.stream))) {
    const seqs = acks.filter((ack) => ack.stream === stream).map(({ seq }) => seq);
    const [first, last] = [Math.min(...seqs), Math.max(...seqs)];
    const known = await streamStates(connection).findById(stream).lean();
    // Not looked at yet: the first look notes what the stream has.
    if (known?.seq === undefined) continue;
    if (first > known.seq) {
      await noteSequence(connection, stream, last);
      continue;
    }
    log.warn(
      { stream, seq: first },
      'stream was recreated or truncated; republishing lost events from the outbox',
    );
    const { created } = await manager.streams.info(stream);
    const since = created === createdOf(known) ? sinceSequence(known, first - 1) : new Date(0);
    await requestRebuild(connection, { _id: stream, since, found: { created, seq: last } });
  }
}

async function mark(connection: Connection, acked: Try[], refused: Try[]): Promise<void> {
  const ids = (tries: Try[]) => ({ _id: { $in: tries.map(({ row }) => row._id) } });
  const unmarked = acked.filter(({ row }) => !row.published_at || row.refused_at);
  const model = outboxModel(connection);
  const published_at = { $ifNull: ['$published_at', '$$NOW'] };
  const refusals = { $add: [{ $ifNull: ['$refusals', 0] }, 1] };
  if (unmarked.length > 0)
    await model.updateMany(
      ids(unmarked),
      [{ $set: { published_at } }, { $unset: ['refused_at', 'refusals'] }],
      { updatePipeline: true },
    );
  if (refused.length > 0)
    await model.updateMany(ids(refused), [{ $set: { refused_at: '$$NOW', refusals } }], {
      updatePipeline: true,
    });
}
