import { toIso, type WebhookEventType } from '@casewatch/contracts';

export function eventIdOf(busId: string): string {
  return `evt_${busId}`;
}

type Parts = { id: string; type: WebhookEventType; time: Date; data: object };

/** Created once, so that all attempts send the same bytes (webhooks.md, Events). */
export function eventBody({ id, type, time, data }: Parts): string {
  return JSON.stringify({ id, type, timestamp: toIso(time), data });
}
