import { databaseTime } from '@casewatch/platform';
import { liveSecrets, ownHeaders } from '../clients/endpoint-secrets.ts';
import type { Context } from '../context.ts';
import type { WebhookRow } from '../store/webhooks.ts';

export type Endpoint = {
  id: number;
  url: string;
  secrets: string[];
  ownHeaders: Record<string, string>;
  rateLimit: number;
  /** Inactive, or its partner is suspended: deliveries wait. */
  held: boolean;
  failures: number;
  /** On the monotonic clock of this process. */
  lastFailureMs: number | null;
};

/** Null if the endpoint was deleted. */
export async function loadEndpoint(ctx: Context, id: number): Promise<Endpoint | null> {
  const row = await ctx.stores.webhooks.find(id);
  if (!row) return null;
  const isSuspended = await ctx.stores.partners.isSuspended(row.partner_id);
  return {
    id,
    url: row.url,
    secrets: liveSecrets(ctx.box, row, ctx.clock.now()),
    ownHeaders: ownHeaders(ctx.box, row),
    rateLimit: row.rate_limit,
    held: !row.active || isSuspended,
    failures: row.failures,
    lastFailureMs: await lastFailureMs(ctx, row),
  };
}

async function lastFailureMs(ctx: Context, { last_failure_at: at }: WebhookRow) {
  if (at === null) return null;
  const agoMs = (await databaseTime(ctx.db)).getTime() - at.getTime();
  return performance.now() - agoMs;
}
