import type { WebhookEventFilter, WebhookEventType } from '@casewatch/contracts';

/** A filter is a type, a family such as `case.*`, or `*`. */
export function matchesFilter(filter: WebhookEventFilter, type: WebhookEventType): boolean {
  if (filter === '*' || filter === type) return true;
  return filter.endsWith('.*') && type.startsWith(filter.slice(0, -1));
}
