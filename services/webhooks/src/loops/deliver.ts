import { databaseTime, every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { ClaimedDelivery } from '../store/delivery-claims.ts';
import { EndpointQueue } from './endpoint-queue.ts';
import { createSending } from './sending.ts';

/** Interval of looking for due deliveries: retries, and deliveries of a process that died, ms. */
const sweepMs = 500;
const deliveriesPerSweep = 200;
/** Queues that look for their deliveries at the same time. */
const parallelLooks = 8;
/** A row may become visible so long after its due time, ms. */
const marginMs = 2_000;
/** Interval of looking for everything that is due, ms. */
const lookBackMs = 60_000;

/** Sends due deliveries: new ones by signals, all others by a sweep. Several replicas may run it. */
export function deliver(ctx: Context): Running {
  const queues = new Map<number, EndpointQueue>();
  const stopping = new AbortController();
  /** Queues know of everything that was due before, on the database's clock. */
  let lowWater = new Date(0);
  let lookBackAt = 0;
  const sending = createSending(ctx, stopping.signal, () => lowWater);

  function queueOf(webhookId: number): EndpointQueue {
    const queue = queues.get(webhookId) ?? new EndpointQueue(sending, webhookId);
    queues.set(webhookId, queue);
    return queue;
  }

  async function sweep(): Promise<void> {
    const isLookBack = performance.now() >= lookBackAt;
    const from = isLookBack ? new Date(0) : lowWater;
    const now = await databaseTime(ctx.db);
    for (const webhookId of await ctx.stores.deliveries.webhooksWithDue(from, now)) {
      const queue = queueOf(webhookId);
      if (queue.behindFrom === null || queue.behindFrom > from) queue.behindFrom = from;
    }
    if (isLookBack) lookBackAt = performance.now() + lookBackMs;
    lowWater = new Date(now.getTime() - marginMs);
    const looking = [...queues].filter(([, queue]) => queue.wantsDue);
    for (let i = 0; i < looking.length; i += parallelLooks)
      await Promise.all(looking.slice(i, i + parallelLooks).map(([id, queue]) => look(id, queue, now)));
    for (const [webhookId, queue] of queues) if (queue.isIdle) queues.delete(webhookId);
  }

  async function look(webhookId: number, queue: EndpointQueue, now: Date): Promise<void> {
    const from = queue.behindFrom;
    if (from === null) return;
    const rows = await ctx.stores.deliveries.dueOf(webhookId, { from, now }, deliveriesPerSweep);
    queue.behindFrom = rows.length === deliveriesPerSweep ? (rows.at(-1)?.due_at ?? null) : null;
    queue.enqueue(rows.map(({ _id }) => _id));
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
