import { type ServiceName, streamsOf } from '@casewatch/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Bus } from '../bus/bus.ts';
import { holdLease } from '../store/lease.ts';
import type { Connection } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logger.ts';
import { pause } from '../timing/pause.ts';
import { createWaker, type Waker } from '../timing/waker.ts';
import { outboxSubject } from './outbox.ts';
import { publishNew, publishRefused, rebuildSome } from './relay-passes.ts';
import { lookForLoss } from './stream-loss.ts';

type Options = { service: ServiceName; connection: Connection; bus: Bus; log: Logger };

const sweepMs = 2_000;
const leaseMs = 5_000;
/** How often events that their stream refuses are tried again, ms. */
const refusedMs = 5_000;

/**
 * Publishes what the outbox holds: one leader per service, woken by the replica that added to it, with a slow sweep behind it.
 * `Nats-Msg-Id` is the event's id, so publishing twice does no harm; marking follows behind the acknowledgement.
 */
export function startRelay(options: Options): { stop(): Promise<void> } {
  const { service, connection, bus, log } = options;
  return holdLease({
    connection,
    log,
    name: 'relay',
    ttlMs: leaseMs,
    async whileHeld({ signal }) {
      const manager = await jetstreamManager(bus.connection, { timeout: 2_000, checkAPI: false });
      const publishing = { connection, bus, manager, log, signal };
      const streams = streamsOf(service);
      const waker = createWaker(signal);
      const hearing = listenForRows(options, waker);
      let sweepAt = 0;
      let refusedAt = 0;
      while (!signal.aborted) {
        try {
          if (performance.now() >= sweepAt) {
            sweepAt = performance.now() + sweepMs;
            for (const { name } of streams)
              await lookForLoss(publishing, name).catch((error: unknown) =>
                log.warn({ stream: name, err: error }, 'relay: stream info not available'),
              );
          }
          await publishNew(publishing);
          if (performance.now() >= refusedAt) {
            await publishRefused(publishing);
            refusedAt = performance.now() + refusedMs;
          }
          // One batch, and then new events again: they do not wait behind old ones.
          if (await rebuildSome(publishing, streams)) continue;
        } catch (error) {
          if (!signal.aborted) log.warn({ err: error }, 'relay: publishing failed; trying again');
          await pause(500, signal);
        }
        await waker.sleep(Math.max(0, sweepAt - performance.now()));
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
    log.debug({ err: error }, 'relay not woken up');
  }
}

/** Replicas say so on core NATS when they have added something; a word that is lost costs a sweep's time. */
function listenForRows({ service, bus, log }: Options, { wake }: Waker): { unsubscribe(): void } {
  return bus.connection.subscribe(outboxSubject(service), {
    callback: (error) => {
      if (error) log.warn({ err: error }, 'relay: wake-up subscription failed; polling continues');
      else wake();
    },
  });
}
