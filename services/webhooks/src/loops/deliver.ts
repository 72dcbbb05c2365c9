import { databaseTime, every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { ClaimedDelivery } from '../store/delivery-claims.ts';
import { EndpointQueue } from './endpoint-queue.ts';
import { createSending } from './sending.ts';

/** Interval of looking for due deliveries: retries, and deliveries of a process that died, ms. */
const sweepMs = 500;
/** Interval of looking for everything that is due, ms. */
const lookBackMs = 60_000;

/** Sends due deliveries: new ones by signals, all others by a sweep. Several replicas may run it. */
export function deliver(ctx: Context): Running {
  const queues = new Map<number, EndpointQueue>();
  const stopping = new AbortController();
  let lookBackAt = 0;
  const sending = createSending(ctx, stopping.signal);

  function queueOf(webhookId: number): EndpointQueue {
    const queue = queues.get(webhookId) ?? new EndpointQueue(sending, webhookId);
    queues.set(webhookId, queue);
    return queue;
  }

  function forget(webhookId: number): void {
    queues.delete(webhookId);
    ctx.admission.set(webhookId, 0);
  }

  async function sweep(): Promise<void> {
    const isLookBack = performance.now() >= lookBackAt;
    const from = isLookBack ? new Date(0) : sending.dueTime.lowWater();
    const now = await databaseTime(ctx.db);
    const withDue = await ctx.stores.deliveries.webhooksWithDue(from, now);
    sending.dueTime.set(now);
    if (isLookBack) lookBackAt = performance.now() + lookBackMs;
    for (const webhookId of withDue) queueOf(webhookId).look(from);
    for (const [webhookId, queue] of queues) if (queue.isIdle) forget(webhookId);
    for (const queue of queues.values()) queue.look();
    sending.inFlight.wakeAll();
  }

  const onDue = (deliveryIds: readonly string[]) => {
    for (const [id, ids] of Map.groupBy(deliveryIds, webhookIdOf)) queueOf(id).enqueue(ids);
  };
  const onClaimed = (deliveries: readonly ClaimedDelivery[]) => {
    for (const [id, claimed] of Map.groupBy(deliveries, ({ webhook_id }) => webhook_id)) {
      const queue = queueOf(id);
      for (const delivery of claimed) queue.push(delivery);
      queue.pump();
    }
  };
  const onErased = (userIds: readonly number[]) => {
    for (const queue of queues.values()) queue.erase(userIds);
  };
  ctx.signals.on('deliveries', onDue);
  ctx.signals.on('claimed', onClaimed);
  ctx.signals.on('erased', onErased);
  ctx.signals.on('endpoint', (webhookId) => queues.get(webhookId)?.invalidate());
  const sweeping = every(sweepMs, sweep, (error) =>
    ctx.log.warn({ err: error }, 'due deliveries not loaded; trying again'),
  );
  return {
    async stop() {
      ctx.admission.close();
      ctx.signals.off('deliveries', onDue).off('claimed', onClaimed).off('erased', onErased);
      stopping.abort();
      await sweeping.stop();
      await Promise.all([...queues.values()].map((queue) => queue.stop()));
      await sending.settler.stop();
      await sending.keeper.stop();
    },
  };
}

function webhookIdOf(deliveryId: string): number {
  return Number(deliveryId.slice(deliveryId.lastIndexOf(':') + 1));
}
