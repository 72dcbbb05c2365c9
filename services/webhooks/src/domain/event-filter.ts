import { type WebhookEventFilter, type WebhookEventType, webhookEventTypes } from '@casewatch/contracts';

/** A filter is a type, a family such as `case.*`, or `*`. */
export function matchesFilter(filter: WebhookEventFilter, type: WebhookEventType): boolean {
  if (filter === '*' || filter === type) return true;
  return filter.endsWith('.*') && type.startsWith(filter.slice(0, -1));
}

/** The types that match a filter; all types without filters. */
export function typesOf(filters: readonly WebhookEventFilter[]): WebhookEventType[] {
  if (filters.length === 0) return [...webhookEventTypes];
  return webhookEventTypes.filter((type) => filters.some((filter) => matchesFilter(filter, type)));
}
