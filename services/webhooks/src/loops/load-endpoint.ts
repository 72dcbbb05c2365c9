import { databaseTime } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { headerContext, secretContext } from '../domain/seal-contexts.ts';
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
    secrets: liveSecrets(ctx, row),
    ownHeaders: Object.fromEntries(
      row.headers.map(({ name, sealed }) => [name, ctx.box.open(sealed, headerContext(id, name))]),
    ),
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

function liveSecrets(ctx: Context, row: WebhookRow): string[] {
  const now = ctx.clock.now();
  return row.secrets
    .filter(({ ends_at }) => ends_at === null || ends_at > now)
    .map(({ sealed }) => ctx.box.open(sealed, secretContext(row._id)));
}
