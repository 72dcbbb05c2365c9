import type { AttemptResult } from './attempt.ts';
import type { Sending } from './sending.ts';

/** Interval of writing successes, of all endpoints at the same time, ms. */
const writeIntervalMs = 1_000;

/** Writes `last_delivery_at`, `last_status`, `failing_since` and the failures of an endpoint. */
export function createHealthWriter({ ctx, storeSuccess, storeFailure }: Sending, webhookId: number) {
  let unwritten: { at: Date; status: number } | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const success = unwritten;
    unwritten = null;
    if (success) await storeSuccess({ webhookId, ...success });
  }

  function writeLater(): void {
    timer ??= setTimeout(
      () => {
        flush().catch((error: unknown) =>
          ctx.log.warn({ webhook: webhookId, err: error }, 'webhook endpoint state not stored'),
        );
      },
      writeIntervalMs - (performance.now() % writeIntervalMs),
    );
  }

  return {
    /** @param wasHealthy the previous attempt succeeded, so a success may be written later */
    async record({ at, status, error, storeGone }: AttemptResult, wasHealthy: boolean): Promise<void> {
      if (error !== null) {
        unwritten = null;
        const failure = { webhookId, at, status, error };
        await (storeGone ? storeGone(failure) : storeFailure(failure));
        return;
      }
      unwritten = { at, status: status ?? 0 };
      if (wasHealthy) writeLater();
      else await flush();
    },
    flush,
  };
}
