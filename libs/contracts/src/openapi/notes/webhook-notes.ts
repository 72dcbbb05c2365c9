import type { FieldNotes } from './field-note.ts';

const webhookId = { description: 'Id of the endpoint.', example: 12 };

/** Fields of webhook endpoints, their deliveries, and callbacks (webhooks.md, notifier.md). */
export const webhookNotes: FieldNotes = {
  Webhook: { description: 'An endpoint that is told of events.' },
  WebhookWithRate: { description: 'An endpoint, and how it fares.' },
  WebhookWithSecret: { description: 'An endpoint with its secret, just created.' },
  WebhookEventType: { description: 'The kinds of event.' },
  WebhookEventFilter: { description: 'A kind of event, a family, or `*` for all.' },
  Delivery: { description: 'One event to one endpoint, with its tries.' },
  DeliveryStatus: { description: 'How a delivery fares.' },
  'Webhook.id': webhookId,
  'WebhookWithRate.id': webhookId,
  'WebhookWithSecret.id': webhookId,
  webhook_id: webhookId,
  deliveries: { description: 'The deliveries of this page.' },
  webhook: { description: 'The endpoint.' },
  url: {
    description: 'Address that events are posted to: https, reachable from the internet.',
    example: 'https://hooks.example.com/casewatch',
  },
  events: {
    description: 'What the endpoint is told: names, families such as `case.*`, or `*`.',
    example: ['case.*'],
  },
  event: { description: 'The kind of event.', example: 'case.status_updated' },
  headers: {
    description: 'Headers of your own to send along, at most 10; answers have their names only.',
    example: [],
  },
  rate_limit: { description: 'Deliveries a second at most.' },
  secret: {
    description: 'Signs what is delivered; shown once.',
    example: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  },
  last_delivery_at: { description: 'When something was last delivered, UTC.' },
  last_status: { description: 'HTTP status of the last answer.', example: 200 },
  failing_since: { description: 'Since when deliveries fail, UTC; null where they do not.', example: null },
  disabled_at: { description: 'When it was switched off for failing, UTC.', example: null },
  disabled_reason: { description: 'Why it was switched off.', example: null },
  success_rate_24h: {
    description: 'Share of deliveries that succeeded in the last 24 hours; null without any.',
    example: 1,
  },
  'Webhook.description': { description: 'A note of yours, one line.', example: 'Production' },
  'Delivery.id': { description: 'Id of the delivery.', example: '01JD7Z8M4Q5V6W7X8Y9Z0A1B2C' },
  'Delivery.status': { description: 'How the delivery fares.', example: 'delivered' },
  channel: { description: 'E-mail or WhatsApp.' },
  n: { description: 'Which notice it is about.', example: '5210' },
  a: { description: 'Which try of it.', example: '1' },
  MessageSid: { description: "The message's id at Twilio." },
  MessageStatus: { description: "How the message fares, in Twilio's words." },
  event_id: {
    description: 'Id of the event, the same for all endpoints.',
    example: '01JD7Z8M4Q5V6W7X8Y9Z0A1B2D',
  },
  attempts: { description: 'The tries so far.' },
  next_attempt_at: { description: 'When it is tried next, UTC.', example: null },
  at: { description: 'When it was tried, UTC.' },
  ms: { description: 'How long it took, milliseconds.', example: 87 },
  error: { description: 'What it failed with.', example: null },
  manual: { description: 'Whether a person asked for it.', example: false },
};
