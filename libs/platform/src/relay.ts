import { type ServiceName, streamsOf } from '@casewatch/contracts';
import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { Bus } from './bus.ts';
import { holdLease } from './lease.ts';
import type { Logger } from './logger.ts';
import type { Connection } from './mongo.ts';
import { type OutboxRow, outboxModel, outboxSubject } from './outbox.ts';
import { pause } from './pause.ts';
import { rebuildWipedStreams } from './streams.ts';
import { createWaker, type Waker } from './waker.ts';

type Options = { service: ServiceName; connection: Connection; bus: Bus; log: Logger };

const batchSize = 256;
const sweepMs = 2_000;
const leaseMs = 5_000;

/**
 * Publishes what the outbox holds: one leader per service, woken by whoever added to it, with a slow sweep behind it.
 * `Nats-Msg-Id` is the event's id, so publishing twice does no harm; marking follows behind the acknowledgement.
 */
export function startRelay(options: Options): { stop(): Promise<void> } {
  const outbox = outboxModel(options.connection);
  const js = jetstream(options.bus.connection, { timeout: 2_000 });
  const { log } = options;

  async function publishPending(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const rows = await outbox.find({ published_at: null }).sort({ _id: 1 }).limit(batchSize).lean();
      if (rows.length === 0) return;
      const published = await publishAll(js, rows, log);
      if (published.length > 0) {
        await outbox.updateMany({ _id: { $in: published } }, [{ $set: { published_at: '$$NOW' } }], {
          updatePipeline: true,
        });
      }
      if (published.length < rows.length) return; // The bus is away: the sweep tries again.
    }
  }

  return holdLease({
    connection: options.connection,
    log,
    name: 'relay',
    ttlMs: leaseMs,
    async whileHeld({ signal }) {
      const waker = createWaker(signal);
      const hearing = listenForRows(options, waker);
      while (!signal.aborted) {
        try {
          await rebuildWipedStreams({ ...options, streams: streamsOf(options.service) });
          await publishPending(signal);
        } catch (error) {
          log.warn({ err: error }, 'relay could not publish; it tries again');
          await pause(500, signal);
        }
        const nextSweep = performance.now() + sweepMs;
        while (!signal.aborted && performance.now() < nextSweep) {
          if (!(await waker.sleep(nextSweep - performance.now()))) break;
          await publishPending(signal).catch((error: unknown) =>
            log.warn({ err: error }, 'relay could not publish'),
          );
        }
      }
      hearing.unsubscribe();
    },
  });
}

/** Tells the service's relay, in whichever replica it is, that something was added. */
export function wakeRelay(bus: Bus, log: Logger): void {
  try {
    if (bus.isConnected()) bus.connection.publish(outboxSubject(bus.service));
  } catch (error) {
    // The connection is being closed; the sweep finds what was added.
    log.debug({ err: error }, 'the relay was not woken');
  }
}

/** Replicas say so on core NATS when they have added something; a word that is lost costs a sweep's time. */
function listenForRows({ service, bus, log }: Options, { wake }: Waker): { unsubscribe(): void } {
  return bus.connection.subscribe(outboxSubject(service), {
    callback: (error) => {
      if (error) log.warn({ err: error }, 'the relay is not woken; the sweep goes on');
      else wake();
    },
  });
}

/** The ids of the rows that the stream acknowledged. */
async function publishAll(js: JetStreamClient, rows: OutboxRow[], log: Logger): Promise<string[]> {
  const results = await Promise.allSettled(rows.map((row) => publishOne(js, row)));
  const failed = results.filter((result) => result.status === 'rejected');
  if (failed.length > 0)
    log.warn({ failed: failed.length, err: failed[0]?.reason }, 'events not acknowledged by the stream');
  return rows.filter((_, i) => results[i]?.status === 'fulfilled').map((row) => row._id);
}

async function publishOne(js: JetStreamClient, row: OutboxRow): Promise<void> {
  const hdrs = headers();
  hdrs.set('x-request-id', row.request_id);
  hdrs.set('traceparent', row.traceparent);
  await js.publish(row.type, row.body, { msgID: row._id, headers: hdrs, timeout: 2_000 });
}
