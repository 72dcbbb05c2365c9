import { toIso, type WebhookEventType } from '@casewatch/contracts';

/** The public id of an event: the same on every attempt and replay. */
export function eventIdOf(busId: string): string {
  return `evt_${busId}`;
}

type Parts = { id: string; type: WebhookEventType; time: Date; data: object };

/** The bytes that are signed and sent: made once, at intake (webhooks.md, Events). */
export function eventBody({ id, type, time, data }: Parts): string {
  return JSON.stringify({ id, type, timestamp: toIso(time), data });
}
