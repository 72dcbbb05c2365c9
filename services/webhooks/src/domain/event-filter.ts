import type { WebhookEventFilter, WebhookEventType } from '@casewatch/contracts';

/** Every filter that lets an event through: its name, its family, everything. */
export function filtersThatMatch(type: WebhookEventType): WebhookEventFilter[] {
  const family = `${type.slice(0, type.indexOf('.'))}.*` as WebhookEventFilter;
  return [type, family, '*'];
}
