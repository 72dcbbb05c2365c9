import type { ClaimedDelivery } from '../store/delivery-claims.ts';
import { EndpointQueue } from './endpoint-queue.ts';
import type { Sending } from './sending.ts';

export type Queues = ReturnType<typeof createQueues>;

/** The queues of endpoints that have been used lately. `onFirst` is called when there is one again. */
export function createQueues(sending: Sending, onFirst: () => void) {
  const { admission } = sending.ctx;
  const queues = new Map<number, EndpointQueue>();

  function queueOf(webhookId: number): EndpointQueue {
    const known = queues.get(webhookId);
    if (known) return known;
    const queue = new EndpointQueue(sending, webhookId);
    queues.set(webhookId, queue);
    if (queues.size === 1) onFirst();
    return queue;
  }

  return {
    get isEmpty(): boolean {
      return queues.size === 0;
    },
    enqueue(deliveryIds: readonly string[]): void {
      for (const [id, ids] of Map.groupBy(deliveryIds, webhookIdOf)) queueOf(id).enqueue(ids);
    },
    push(deliveries: readonly ClaimedDelivery[]): void {
      for (const [id, claimed] of Map.groupBy(deliveries, ({ webhook_id }) => webhook_id)) {
        const queue = queueOf(id);
        for (const delivery of claimed) queue.push(delivery);
        queue.pump();
      }
    },
    erase(userIds: readonly number[]): void {
      for (const queue of queues.values()) queue.erase(userIds);
    },
    invalidate(webhookId: number): void {
      queues.get(webhookId)?.invalidate();
    },
    /** `withDue`: endpoints with deliveries that become due after `from`. */
    look(withDue: readonly number[], from: Date): void {
      for (const webhookId of withDue) queueOf(webhookId).look(from);
      for (const [webhookId, queue] of queues) {
        if (!queue.isIdle) continue;
        queues.delete(webhookId);
        admission.set(webhookId, 0);
      }
      for (const queue of queues.values()) queue.look();
    },
    async stop(): Promise<void> {
      await Promise.all([...queues.values()].map((queue) => queue.stop()));
    },
  };
}

function webhookIdOf(deliveryId: string): number {
  return Number(deliveryId.slice(deliveryId.lastIndexOf(':') + 1));
}
