import { disableEndpoint } from '../changes/disable-endpoint.ts';
import type { Context } from '../context.ts';
import type { AttemptResult } from './attempt.ts';

/** Shortest interval between writes of successes, ms. */
const writeIntervalMs = 500;

/** Writes `last_delivery_at`, `last_status`, `failing_since` and the failures of an endpoint. */
export function createHealthWriter(ctx: Context, webhookId: number) {
  let unwritten: { at: Date; status: number } | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const success = unwritten;
    unwritten = null;
    if (success) await ctx.stores.webhookHealth.recordSuccess(webhookId, success.at, success.status);
  }

  function writeLater(): void {
    timer ??= setTimeout(() => {
      flush().catch((error: unknown) =>
        ctx.log.warn({ webhook: webhookId, err: error }, 'state of a webhook endpoint not stored'),
      );
    }, writeIntervalMs);
  }

  return {
    /** @param wasHealthy the previous attempt succeeded, so a success may be written later */
    async record({ at, status, error }: AttemptResult, wasHealthy: boolean): Promise<void> {
      if (error !== null) {
        unwritten = null;
        await ctx.stores.webhookHealth.recordFailure(webhookId, { at, status, error });
        if (status === 410) await disableEndpoint(ctx, webhookId, { reason: 'gone' });
        return;
      }
      unwritten = { at, status: status ?? 0 };
      if (wasHealthy) writeLater();
      else await flush();
    },
    flush,
  };
}
