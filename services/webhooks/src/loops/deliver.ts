import { createWakeableTimer, detached, type Running } from '@casewatch/platform';
import { databaseTime } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { createQueues, type Queues } from './queues.ts';
import { createSending, type Sending } from './sending.ts';

/** Interval of looking for due deliveries: retries, and deliveries of a process that died, ms. */
const sweepMs = 500;
/** The same while this process has had nothing to send for a minute; shorter than a claim, ms. */
const idleSweepMs = 5_000;
/** Interval of looking for everything that is due, ms. */
const lookBackMs = 60_000;

/** Sends due deliveries: new ones by signals, all others by a sweep. Several replicas may run it. */
export function deliver(ctx: Context): Running {
  const stopping = new AbortController();
  const timer = createWakeableTimer(stopping.signal);
  const sending = createSending(ctx, stopping.signal);
  const queues = createQueues(sending, timer.wake);
  const stopListening = listen(ctx, queues);
  const sweep = createSweep(sending, queues);

  async function sweepUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sweep().catch((error: unknown) =>
        ctx.log.warn({ err: error }, 'due deliveries not loaded; trying again'),
      );
      await timer.sleep(queues.isEmpty ? idleSweepMs : sweepMs);
    }
  }

  const sweeping = sweepUntilStopped();
  return {
    async stop() {
      ctx.admission.close();
      stopListening();
      stopping.abort();
      await sweeping;
      await queues.stop();
      await sending.settler.stop();
      await sending.keeper.stop();
    },
  };
}

function listen({ signals }: Context, queues: Queues): () => void {
  const { erase } = queues;
  const enqueue = apart(queues.enqueue);
  const push = apart(queues.push);
  const invalidate = apart(queues.invalidate);
  signals.on('deliveries', enqueue).on('claimed', push).on('erased', erase).on('endpoint', invalidate);
  return () =>
    signals.off('deliveries', enqueue).off('claimed', push).off('erased', erase).off('endpoint', invalidate);
}

/** The queue continues after the call that sent the signal: beyond its time, and outside of its trace. */
function apart<T>(step: (about: T) => void): (about: T) => void {
  return (about) => detached(() => step(about));
}

function createSweep({ ctx, dueTime, inFlight }: Sending, queues: Queues): () => Promise<void> {
  let lookBackAt = 0;
  return async () => {
    const isLookBack = performance.now() >= lookBackAt;
    const from = isLookBack ? new Date(0) : dueTime.lowWater();
    const now = await databaseTime(ctx.db);
    // What becomes due before the next sweep begins a queue, so that the sweeps are short when it is due.
    const until = new Date(now.getTime() + (queues.isEmpty ? idleSweepMs : 0));
    const withDue = await ctx.stores.deliveries.webhooksWithDue(from, until);
    dueTime.set(now);
    if (isLookBack) lookBackAt = performance.now() + lookBackMs;
    queues.look(withDue, from);
    inFlight.wakeAll();
  };
}
