import { databaseTime, every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { Lane } from './lane.ts';

/** How often the store is asked for what is due: retries, and what a process that died has left, ms. */
const sweepMs = 500;
/** How much of one endpoint a sweep brings at once. */
const batch = 200;

/**
 * Sends what is due: new deliveries at once, by the signal `deliveries`, and by a sweep everything else. Several replicas
 * may do so; a claim in the store decides.
 */
export function deliver(ctx: Context): Running {
  const lanes = new Map<number, Lane>();
  const stopping = new AbortController();

  function laneOf(webhookId: number): Lane {
    const lane = lanes.get(webhookId) ?? new Lane(ctx, webhookId, stopping.signal);
    lanes.set(webhookId, lane);
    return lane;
  }

  async function sweep(): Promise<void> {
    const now = await databaseTime(ctx.db);
    for (const webhookId of await ctx.stores.deliveries.webhooksWithDue(now)) {
      const lane = laneOf(webhookId);
      if (lane.isHeld || lane.waiting >= batch / 2) continue;
      lane.offer(await ctx.stores.deliveries.dueOf(webhookId, now, batch));
    }
    for (const [webhookId, lane] of lanes) if (lane.isIdle) lanes.delete(webhookId);
  }

  function offer(deliveryIds: readonly string[]): void {
    for (const id of deliveryIds) laneOf(webhookIdOf(id)).offer([id]);
  }

  ctx.signals.on('deliveries', offer);
  ctx.signals.on('endpoint', (webhookId) => lanes.get(webhookId)?.forget());
  const sweeping = every(sweepMs, sweep, (error) =>
    ctx.log.warn({ err: error }, 'due deliveries not loaded; trying again'),
  );
  return {
    async stop() {
      ctx.signals.off('deliveries', offer);
      stopping.abort();
      await sweeping.stop();
      await Promise.all([...lanes.values()].map((lane) => lane.stop()));
    },
  };
}

/** `<event id>:<webhook id>`. */
function webhookIdOf(deliveryId: string): number {
  return Number(deliveryId.slice(deliveryId.lastIndexOf(':') + 1));
}
