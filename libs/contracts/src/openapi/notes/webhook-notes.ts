import type { FieldNotes } from './field-note.ts';

const webhookId = { description: 'Id of the endpoint.', example: 12 };

/** Fields of webhook endpoints, their deliveries, and callbacks (webhooks.md, notifier.md). */
export const webhookNotes: FieldNotes = {
  Webhook: { description: 'A webhook endpoint: an address that receives events.' },
  WebhookWithRate: { description: 'A webhook endpoint with its success rate.' },
  WebhookWithSecret: { description: 'A new webhook endpoint with its signing secret.' },
  WebhookEventType: { description: 'An event type.' },
  WebhookEventFilter: { description: 'An event type, a family of types such as `case.*`, or `*` for all.' },
  Delivery: { description: 'The delivery of one event to one endpoint, with its attempts.' },
  DeliveryStatus: { description: 'State of a delivery.' },
  'Webhook.id': webhookId,
  'WebhookWithRate.id': webhookId,
  'WebhookWithSecret.id': webhookId,
  webhook_id: webhookId,
  deliveries: { description: 'The deliveries of this page.' },
  webhook: { description: 'The endpoint.' },
  webhooks: { description: 'The endpoints of this page.' },
  url: {
    description: 'HTTPS address that receives the events. It must be reachable from the internet.',
    example: 'https://hooks.example.com/casewatch',
  },
  events: {
    description: 'Events that the endpoint receives: types, families such as `case.*`, or `*` for all.',
    example: ['case.*'],
  },
  'query.event': { description: 'Only deliveries of this event type.' },
  event: { description: 'Event type.', example: 'case.status_updated' },
  headers: {
    description:
      'Your own headers that are sent with each delivery, at most 10. Responses contain only their names.',
    example: [],
  },
  rate_limit: { description: 'Maximum number of deliveries per second.' },
  secret: {
    description: 'Signing secret of the endpoint. Shown once.',
    example: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  },
  last_delivery_at: { description: 'Time of the last delivery, UTC, or null.' },
  last_status: { description: 'HTTP status of the last response of the endpoint.', example: 200 },
  failing_since: {
    description: 'Time when deliveries began to fail, UTC; null if they succeed.',
    example: null,
  },
  disabled_at: {
    description: 'Time when the endpoint was disabled because it failed, UTC, or null.',
    example: null,
  },
  disabled_reason: { description: 'Why the endpoint was disabled, or null.', example: null },
  success_rate_24h: {
    description: 'Share of successful deliveries in the last 24 hours, from 0 to 1; null if there were none.',
    example: 1,
  },
  'Webhook.description': { description: 'Your note. One line.', example: 'Production' },
  'Delivery.id': { description: 'Id of the delivery.', example: '01JD7Z8M4Q5V6W7X8Y9Z0A1B2C' },
  'Delivery.status': { description: 'State of the delivery.', example: 'delivered' },
  channel: { description: '`email` or `whatsapp`.' },
  n: { description: 'Id of the notification.', example: '5210' },
  a: { description: 'Number of the attempt.', example: '1' },
  MessageSid: { description: 'Id of the message at Twilio.' },
  MessageStatus: { description: 'Status of the message at Twilio.' },
  event_id: {
    description: 'Id of the event. It is the same for all endpoints.',
    example: '01JD7Z8M4Q5V6W7X8Y9Z0A1B2D',
  },
  attempts: { description: 'The attempts so far.' },
  next_attempt_at: { description: 'Time of the next attempt, UTC, or null.', example: null },
  at: { description: 'Time of the attempt, UTC.' },
  ms: { description: 'Duration of the attempt in milliseconds.', example: 87 },
  error: { description: 'Error of the attempt, or null.', example: null },
  manual: { description: 'Whether the attempt was requested by hand.', example: false },
};
