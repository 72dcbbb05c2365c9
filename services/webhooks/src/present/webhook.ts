import { toIso, type Webhook } from '@casewatch/contracts';
import type { WebhookRow } from '../store/webhooks.ts';

/** Without the secret and the values of headers. */
export function presentWebhook(row: WebhookRow): Webhook {
  return {
    id: row._id,
    url: row.url,
    events: row.events,
    description: row.description,
    active: row.active,
    headers: row.headers.map((header) => header.name),
    rate_limit: row.rate_limit,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
    last_delivery_at: toIso(row.last_delivery_at),
    last_status: row.last_status,
    failing_since: toIso(row.failing_since),
    disabled_at: toIso(row.disabled_at),
    disabled_reason: row.disabled_reason,
  };
}
