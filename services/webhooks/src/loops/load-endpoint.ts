import { databaseTime } from '@casewatch/platform/database';
import { openSecrets, ownHeaders, type Secret } from '../clients/endpoint-secrets.ts';
import type { Context } from '../context.ts';
import type { EndpointHealth } from '../domain/pace.ts';
import type { WebhookRow } from '../store/webhooks.ts';

export type Endpoint = {
  id: number;
  url: string;
  /** Each signs until `endsAt`. */
  secrets: readonly Secret[];
  ownHeaders: Record<string, string>;
  rateLimit: number;
  held: boolean;
};

export type LoadedEndpoint = { endpoint: Endpoint; health: EndpointHealth };

/** Null for each endpoint that was deleted. */
export async function loadEndpoints(
  ctx: Context,
  ids: readonly number[],
): Promise<(LoadedEndpoint | null)[]> {
  const rows = await ctx.stores.webhooks.findAll(ids);
  const partners = await ctx.stores.partners.states(rows.map((row) => row.partner_id));
  const isAnyFailing = rows.some((row) => row.last_failure_at !== null);
  const databaseNow = isAnyFailing ? (await databaseTime(ctx.db)).getTime() : 0;
  return ids.map((id) => {
    const row = rows.find(({ _id }) => _id === id);
    if (!row) return null;
    const isSuspended = partners.find(({ _id }) => _id === row.partner_id)?.status === 'suspended';
    const { failures, last_failure_at: at, last_delivery_at: lastAt } = row;
    const lastFailureMs = at && performance.now() - (databaseNow - at.getTime());
    const health = { failures, lastFailureMs, hasSucceeded: failures === 0 && lastAt !== null };
    return { endpoint: endpointOf(ctx, row, isSuspended), health };
  });
}

export function endpointOf({ box }: Context, row: WebhookRow, isSuspended: boolean): Endpoint {
  const { _id: id, url, active, rate_limit: rateLimit } = row;
  return {
    id,
    url,
    secrets: openSecrets(box, row),
    ownHeaders: ownHeaders(box, row),
    rateLimit,
    held: !active || isSuspended,
  };
}
