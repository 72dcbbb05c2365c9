import { type WebhookEvent, webhookEventBodies, webhookEventType } from '@casewatch/contracts';

/** The event of a body that an endpoint received. @throws ZodError if the body does not have the schema of its type */
export function readEvent(body: string): WebhookEvent {
  const event = JSON.parse(body) as { type: unknown };
  return webhookEventBodies[webhookEventType.parse(event.type)].parse(event);
}
