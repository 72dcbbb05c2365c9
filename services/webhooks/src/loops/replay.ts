import { type HeldLease, holdLease, pause, type Running } from '@casewatch/platform';
import { replayBatch } from '../changes/replay-batch.ts';
import type { Context } from '../context.ts';

/** Another replica continues the replays this long after their process died, ms. */
const leaseMs = 6_000;
const roundMs = 500;
/** Replays that are worked on at the same time. */
const parallel = 10;

/** Runs all replays, one batch of each in a round. One replica does it at a time. */
export function replay(ctx: Context): Running {
  return holdLease({
    connection: ctx.db,
    log: ctx.log,
    name: 'webhook-replays',
    ttlMs: leaseMs,
    async whileHeld({ signal }: HeldLease) {
      while (!signal.aborted) {
        await round(ctx, signal);
        await pause(roundMs, signal);
      }
    },
  });
}

async function round(ctx: Context, signal: AbortSignal): Promise<void> {
  try {
    const tasks = await ctx.stores.tasks.running();
    for (let start = 0; start < tasks.length && !signal.aborted; start += parallel)
      await Promise.all(tasks.slice(start, start + parallel).map((task) => replayBatch(ctx, task)));
  } catch (error) {
    ctx.log.warn({ err: error }, 'replay of webhooks paused: database not available');
  }
}
