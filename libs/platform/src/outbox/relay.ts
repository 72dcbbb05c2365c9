import { type ServiceName, streamsOf } from '@casewatch/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Bus } from '../bus/bus.ts';
import { holdLease } from '../store/lease.ts';
import type { Connection } from '../store/mongo.ts';
import { importedApi } from '../streams/imported-api.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Running } from '../timing/every.ts';
import { pause } from '../timing/pause.ts';
import { createWakeableTimer, type WakeableTimer } from '../timing/wakeable-timer.ts';
import { leaseSignals } from './lease-signals.ts';
import { createLooks } from './relay-looks.ts';
import { createMarks } from './relay-marks.ts';
import { publishNew, publishRefused, republishBatch } from './relay-passes.ts';
import type { Publishing } from './relay-publish.ts';
import { readOutboxState, type StreamState } from './relay-state.ts';
import { checkForLoss } from './stream-loss.ts';
import { outboxSubject } from './subject.ts';

type Options = { service: ServiceName; connection: Connection; bus: Bus; log: Logger };

/** The relay of this process, while it holds the lease: its wake-up needs no message. */
const holders = new WeakMap<Bus, WakeableTimer>();

const sweepMs = 5_000;
/** The next sweep after a stream refused an event or lost events, ms. */
const soonMs = 2_000;
const leaseMs = 5_000;
/** After a pass the relay rests as long as the pass took, at most this time, ms. */
const maxRestMs = 20;
/** How often refused events are tried again, and looked for while none is known, ms. */
const refusedRetryMs = 5_000;
const refusedSearchMs = 30_000;

/** Publishes the outbox in one replica. `Nats-Msg-Id` is the event's id, so an event that is published twice is stored once. */
export function startRelay({ service, connection, bus, log }: Options): Running {
  return holdLease({
    connection,
    log,
    name: 'relay',
    ttlMs: leaseMs,
    signals: leaseSignals(bus, log, 'relay'),
    async whileHeld({ signal }) {
      const manager = await jetstreamManager(bus.connection, {
        ...importedApi,
        timeout: 2_000,
        checkAPI: false,
      });
      const publishing = { connection, bus, manager, log, signal };
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
        await publishInPasses(publishing, service, timer);
      } finally {
        holders.delete(bus);
        wakeUps.unsubscribe();
      }
    },
  });
}

async function publishInPasses(publishing: Publishing, service: ServiceName, timer: WakeableTimer) {
  const { signal, log } = publishing;
  const streams = streamsOf(service);
  const names = streams.map(({ name }) => name);
  const marks = createMarks(publishing);
  const looks = createLooks();
  let sweepAt = 0;
  let refusedAt = 0;
  let isRebuilding = true;
  while (!signal.aborted) {
    const startedAt = performance.now();
    try {
      const isSweep = performance.now() >= sweepAt;
      let hasNewEvent = true;
      if (isSweep) {
        sweepAt = performance.now() + sweepMs;
        await marks.flush();
        const outbox = await readOutboxState(publishing.connection, names);
        for (const name of names)
          if (await isLost(publishing, name, outbox.states.get(name))) isRebuilding = true;
        // An event of a later transaction wakes the relay.
        hasNewEvent = outbox.hasNewEvent;
      }
      const isRefused = hasNewEvent && (await publishNew(publishing, marks, looks));
      if (isRefused || isRebuilding) {
        refusedAt = Math.min(refusedAt, performance.now() + refusedRetryMs);
        sweepAt = Math.min(sweepAt, performance.now() + soonMs);
      }
      if (isSweep || isRebuilding) {
        await marks.flush();
        // One batch at a time, so that new events do not wait behind a rebuild.
        isRebuilding &&= await republishBatch(publishing, streams);
        if (isRebuilding) continue;
        // After a rebuild: it leaves these out, and would publish a second time what is refused no longer.
        if (performance.now() >= refusedAt) {
          const found = await publishRefused(publishing);
          refusedAt = performance.now() + (found > 0 ? refusedRetryMs : refusedSearchMs);
        }
      }
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'relay: publishing failed; trying again');
      await pause(500, signal);
    }
    // On a busy machine passes are slow, so the rest is long and all services process events in batches.
    const rested = pause(Math.min(maxRestMs, performance.now() - startedAt), signal);
    // A timer may end a millisecond early; then the pass would be one more.
    await timer.sleep(Math.max(0, Math.min(sweepAt, looks.dueAt()) - performance.now() + 1));
    await rested;
  }
}

async function isLost(
  publishing: Publishing,
  stream: string,
  saved: StreamState | undefined,
): Promise<boolean> {
  try {
    return await checkForLoss(publishing, stream, saved);
  } catch (error) {
    publishing.log.warn({ stream, err: error }, 'relay: stream info not available');
    return false;
  }
}

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
