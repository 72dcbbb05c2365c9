import { consumersOf, events } from '@casewatch/contracts';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { importedApi } from '../streams/imported-api.ts';
import type { Logger } from '../telemetry/logger.ts';
import { pause } from '../timing/pause.ts';
import { type ConsumerOptions, runConsumer } from './consume.ts';

const { stream } = events['erasure.recorded'];

/** Longest time without progress, ms. An erasure that always fails must not keep a service away for ever. */
const stalledMs = 60_000;
const pollMs = 200;
const retryMs = 1_000;
const infoMs = 2_000;

/**
 * Handles the erasures that wait, before the service serves, sends or handles anything else: after a restore they concern
 * people whom the backup brought back. Usually none waits. Without progress for a minute the service starts all the same.
 */
export async function applyErasures(options: ConsumerOptions, stallsAfterMs = stalledMs): Promise<void> {
  const { service, bus, log } = options;
  const row = consumersOf(service).find((consumer) => consumer.stream === stream);
  if (!row) return;
  const manager = await jetstreamManager(bus.connection, {
    ...importedApi,
    timeout: infoMs,
    checkAPI: false,
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const uncounted = { received: () => undefined, settled: () => undefined };
  let consuming: Promise<void> | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  let progressAt = performance.now();
  try {
    for (;;) {
      const waiting = await countWaiting(manager, row.durable, log);
      if (waiting === 0) return;
      consuming ??= runConsumer(options, row, uncounted, signal);
      if (waiting !== null && waiting < fewest) {
        log.info({ waiting }, 'applying erasures before the start');
        fewest = waiting;
        progressAt = performance.now();
      } else if (performance.now() - progressAt > stallsAfterMs) {
        log.error({ waiting }, 'erasures could not be applied; starting without them');
        return;
      }
      await pause(waiting === null ? retryMs : pollMs, signal);
    }
  } finally {
    stopping.abort();
    await consuming;
  }
}

/** Null while the stream is not known. */
async function countWaiting(manager: JetStreamManager, durable: string, log: Logger): Promise<number | null> {
  try {
    const { num_pending, num_ack_pending } = await manager.consumers.info(stream, durable);
    return num_pending + num_ack_pending;
  } catch (error) {
    log.warn({ consumer: durable, err: error }, 'pending erasures not loaded; trying again');
    return null;
  }
}
