import { randomUUID } from 'node:crypto';
import { type JetStreamClient, type JetStreamManager, jetstream, type PubAck } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { Bus } from '../bus/bus.ts';
import { messagingAttributes } from '../bus/context.ts';
import type { Connection } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logger.ts';
import { failSpan, startSpan } from '../telemetry/spans.ts';
import type { Clock } from '../timing/clock.ts';
import type { OutboxRow } from './outbox.ts';

export type Publishing = {
  connection: Connection;
  bus: Bus;
  manager: JetStreamManager;
  log: Logger;
  clock: Clock;
  signal: AbortSignal;
};

export type Acked = { row: OutboxRow; ack: PubAck };
type Attempt = Acked | { row: OutboxRow; ack?: undefined; error: unknown };

/** What the stream did with the rows; the others are unanswered. */
export type Publication = { acked: Acked[]; refused: OutboxRow[]; unanswered: number };

const timeoutMs = 2_000;

/** Errors without an answer of the stream: they do not mean that it refuses the event. */
const unansweredNames = new Set([
  'TimeoutError',
  'ClosedConnectionError',
  'DrainingConnectionError',
  'ConnectionError',
]);

/** Publishes rows, without marking them. @throws the first error if the stream answered nothing */
export async function publishRows(
  { bus, manager, log, signal }: Publishing,
  rows: OutboxRow[],
  messageId: (row: OutboxRow) => string,
): Promise<Publication> {
  const js = jetstream(bus.connection, { timeout: timeoutMs });
  const first = await Promise.all(rows.map((row) => publishOne(js, row, messageId(row))));
  const attempts = await publishLostDuplicates(manager, js, first);
  // Without the lease another replica publishes these rows again, with the same ids.
  signal.throwIfAborted();
  const acked = attempts.filter((attempt) => attempt.ack !== undefined);
  const failed = attempts.filter((attempt) => attempt.ack === undefined);
  const refused = failed.filter(({ error }) => !(error instanceof Error && unansweredNames.has(error.name)));
  const unanswered = failed.length - refused.length;
  if (failed.length > 0) {
    const types = [...new Set(failed.map(({ row }) => row.type))];
    const counts = { types, failed: failed.length, refused: refused.length };
    log.warn({ ...counts, err: failed[0]?.error }, 'events not acknowledged by the stream');
  }
  if (unanswered > 0 && unanswered === rows.length) throw failed[0]?.error;
  return { acked, refused: refused.map(({ row }) => row), unanswered };
}

async function publishOne(js: JetStreamClient, row: OutboxRow, msgID: string): Promise<Attempt> {
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
async function publishLostDuplicates(
  manager: JetStreamManager,
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
