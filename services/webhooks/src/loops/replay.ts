import { createWakeableTimer, type Running } from '@casewatch/platform';
import { type HeldLease, holdLease, leaseSignals } from '@casewatch/platform/database';
import { replayBatch } from '../changes/replay-batch.ts';
import type { Context } from '../context.ts';
import type { TaskRow } from '../store/tasks.ts';

const lease = 'webhook-replays';
/** Another replica continues the replays this long after their process died, ms. */
const leaseMs = 10_000;
const roundMs = 500;
/** Interval of looking for replays that another replica has stored, ms. */
const idleMs = 5_000;
const parallel = 10;

/** Runs all replays, one batch of each in a round. One replica does it at a time. */
export function replay(ctx: Context): Running {
  return holdLease({
    connection: ctx.db,
    log: ctx.log,
    name: lease,
    ttlMs: leaseMs,
    signals: leaseSignals(ctx.bus, ctx.log, lease),
    async whileHeld({ signal }: HeldLease) {
      const timer = createWakeableTimer(signal);
      ctx.signals.on('replay', timer.wake);
      while (!signal.aborted) await timer.sleep((await round(ctx, signal)) ? roundMs : idleMs);
      ctx.signals.off('replay', timer.wake);
    },
  });
}

/** False if no replay is running. */
async function round(ctx: Context, signal: AbortSignal): Promise<boolean> {
  try {
    const tasks = await ctx.stores.tasks.running();
    for (let start = 0; start < tasks.length && !signal.aborted; start += parallel)
      await Promise.all(tasks.slice(start, start + parallel).map((task) => runBatch(ctx, task)));
    return tasks.length > 0;
  } catch (error) {
    ctx.log.warn({ err: error }, 'running webhook replays not loaded; trying again');
    return true;
  }
}

/** A replay that fails is tried again in the next round, and holds up no other. */
async function runBatch(ctx: Context, task: TaskRow): Promise<void> {
  try {
    await replayBatch(ctx, task);
  } catch (error) {
    const fields = { task: task._id, webhook: task.webhook_id, err: error };
    ctx.log.warn(fields, 'webhook replay batch failed; trying again');
  }
}
