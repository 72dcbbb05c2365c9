import { every, type Running } from '@casewatch/platform';
import { disableFailingEndpoint } from '../changes/disable-endpoint.ts';
import type { Context } from '../context.ts';
import { firstWarningBefore, nextStage } from '../domain/disabling.ts';
import type { FailingRow } from '../store/webhook-health.ts';

/** Interval, ms, before WEBHOOKS_RETRY_SCALE; and its least. */
const intervalMs = 60_000;
const minIntervalMs = 250;

/**
 * Warns owners of failing endpoints and disables the endpoints (webhooks.md, Delivery). The rows say how far an endpoint
 * is, so several replicas may run it, and it costs the attempts nothing.
 */
export function judgeFailing(ctx: Context): Running {
  const scale = ctx.config.WEBHOOKS_RETRY_SCALE;
  return every(
    Math.max(minIntervalMs, intervalMs * scale),
    async (signal) => {
      const before = firstWarningBefore(ctx.clock.now(), scale);
      for (const row of await ctx.stores.webhookHealth.failingSinceBefore(before)) {
        if (signal.aborted) return;
        await judge(ctx, row);
      }
    },
    (error) => ctx.log.warn({ err: error }, 'failing endpoints not checked; trying again'),
  );
}

async function judge(ctx: Context, row: FailingRow): Promise<void> {
  const stage = nextStage(row, ctx.config.WEBHOOKS_RETRY_SCALE);
  if (stage === null) return;
  if (stage === 'disabled') {
    await disableFailingEndpoint(ctx, row._id, row.failing_since);
    return;
  }
  if (await ctx.stores.webhookHealth.addNotice(row, stage))
    ctx.log.warn({ webhook: row._id, stage, failing_since: row.failing_since }, 'webhook endpoint failing');
}
