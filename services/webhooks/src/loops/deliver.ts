import { databaseTime, every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { EndpointQueue } from './endpoint-queue.ts';

/** Interval of looking for due deliveries: retries, and deliveries of a process that died, ms. */
const sweepMs = 500;
const deliveriesPerSweep = 200;

/** Sends due deliveries: new ones by the signal `deliveries`, all others by a sweep. Several replicas may run it. */
export function deliver(ctx: Context): Running {
  const queues = new Map<number, EndpointQueue>();
  const stopping = new AbortController();

  function queueOf(webhookId: number): EndpointQueue {
    const queue = queues.get(webhookId) ?? new EndpointQueue(ctx, webhookId, stopping.signal);
    queues.set(webhookId, queue);
    return queue;
  }

  async function sweep(): Promise<void> {
    const now = await databaseTime(ctx.db);
    for (const webhookId of await ctx.stores.deliveries.webhooksWithDue(now)) {
      const queue = queueOf(webhookId);
      if (queue.isHeld || queue.length >= deliveriesPerSweep / 2) continue;
      queue.enqueue(await ctx.stores.deliveries.dueOf(webhookId, now, deliveriesPerSweep));
    }
    for (const [webhookId, queue] of queues) if (queue.isIdle) queues.delete(webhookId);
  }

  function enqueue(deliveryIds: readonly string[]): void {
    for (const id of deliveryIds) queueOf(webhookIdOf(id)).enqueue([id]);
  }

  ctx.signals.on('deliveries', enqueue);
  ctx.signals.on('endpoint', (webhookId) => queues.get(webhookId)?.invalidate());
  const sweeping = every(sweepMs, sweep, (error) =>
    ctx.log.warn({ err: error }, 'due deliveries not loaded; trying again'),
  );
  return {
    async stop() {
      ctx.signals.off('deliveries', enqueue);
      stopping.abort();
      await sweeping.stop();
      await Promise.all([...queues.values()].map((queue) => queue.stop()));
    },
  };
}

function webhookIdOf(deliveryId: string): number {
  return Number(deliveryId.slice(deliveryId.lastIndexOf(':') + 1));
}
