import { toIso, type Webhook, type WebhookEventFilter } from '@casewatch/contracts';

type Shown = {
  _id: number;
  url: string;
  events: WebhookEventFilter[];
  description: string;
  active: boolean;
  headers: { name: string }[];
  rate_limit: number;
  created_at: Date;
  updated_at: Date;
  last_delivery_at: Date | null;
  last_status: number | null;
  failing_since: Date | null;
  disabled_at: Date | null;
  disabled_reason: string | null;
};

/** An endpoint as the interface shows it: of its headers the names, of its secret nothing. */
export function presentWebhook(row: Shown): Webhook {
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
