import { disableEndpoint } from '../changes/disable-endpoint.ts';
import type { Context } from '../context.ts';
import type { Attempted } from './attempt.ts';

/** Successes in a row are written at most this often, ms: one endpoint's row must not be its bottleneck. */
const writeEveryMs = 500;

/** Keeps what an endpoint shows of itself: last_delivery_at, last_status, failing_since, and its failures in a row. */
export type HealthKeeper = {
  /** @param wasHealthy whether the attempt before succeeded: then a success can be written later */
  record(done: Attempted, wasHealthy: boolean): Promise<void>;
  /** Writes what is still to be written. */
  flush(): Promise<void>;
};

export function createHealthKeeper(ctx: Context, webhookId: number): HealthKeeper {
  let unwritten: { at: Date; status: number } | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const success = unwritten;
    unwritten = null;
    if (success) await ctx.stores.webhooks.recordSuccess(webhookId, success.at, success.status);
  }

  function writeLater(): void {
    timer ??= setTimeout(() => {
      flush().catch((error: unknown) =>
        ctx.log.warn({ webhook: webhookId, err: error }, 'last delivery not stored'),
      );
    }, writeEveryMs);
  }

  return {
    async record({ at, status, error }, wasHealthy) {
      if (error !== null) {
        unwritten = null;
        await ctx.stores.webhooks.recordFailure(webhookId, at, status);
        if (status === 410) await disableEndpoint(ctx, webhookId, 'gone');
        return;
      }
      unwritten = { at, status: status ?? 0 };
      if (wasHealthy) writeLater();
      else await flush();
    },
    flush,
  };
}
