import type { FieldNotes } from './field-note.ts';

const attemptMessage = {
  description: 'Sentence that names the cause of the failure; null if the attempt succeeded.',
  example: null,
};
const deliveryReason = {
  description: 'Why the delivery is cancelled, or is pending without a next attempt; otherwise null.',
  example: null,
};
const webhookId = { description: 'Id of the endpoint.', example: 12 };

/** Fields of webhook endpoints, their deliveries, and callbacks (webhooks.md, notifier.md). */
export const webhookNotes: FieldNotes = {
  Webhook: { description: 'A webhook endpoint: an address that receives events.' },
  WebhookWithRate: { description: 'A webhook endpoint with its success rate.' },
  WebhookWithSecret: { description: 'A new webhook endpoint with its signing secret.' },
  WebhookEventType: { description: 'An event type.' },
  WebhookEventFilter: { description: 'An event type, a family of types such as `case.*`, or `*` for all.' },
  Delivery: { description: 'The delivery of one event to one endpoint, with its attempts.' },
  DeliveryWithPayload: { description: 'A delivery with its event and the details of every attempt.' },
  DeliveryAttempt: { description: 'One attempt to send an event to an endpoint.' },
  DetailedAttempt: {
    description: 'One attempt to send an event, with the request headers and the response.',
  },
  'DeliveryAttempt.message': attemptMessage,
  'DetailedAttempt.message': attemptMessage,
  CaseDelivery: { description: 'The delivery of one status update of a case to one endpoint.' },
  'CaseDelivery.status_update_id': { description: 'Id of the status update.', example: 5210 },
  attempt_count: { description: 'Number of attempts so far.', example: 1 },
  'CaseDelivery.last_status': {
    description: 'HTTP status of the last response, or null.',
    example: 200,
  },
  'CaseDelivery.last_error': {
    description: 'Error of the last attempt; null if it succeeded.',
    example: null,
  },
  request_headers: {
    description:
      'Headers of the request, without the signature and the trace id. Values of custom headers are masked.',
    example: {
      'content-type': 'application/json',
      'user-agent': 'Casewatch-Webhooks/1',
      'webhook-id': 'evt_019a5c7e-3b1d-7c52-8f60-2d41c09ab8e7',
      'webhook-timestamp': '1795255200',
    },
  },
  response: {
    description: 'The first 4 KiB of the response of the endpoint, or null without a response.',
    example: '{"received":true}',
  },
  payload: { description: 'The event. Null if it was deleted with its user.' },
  delivery: { description: 'The delivery.' },
  delivery_id: {
    description: 'Id of the delivery.',
    example: 'evt_019a5c7e-3b1d-7c52-8f60-2d41c09ab8e7:12',
  },
  attempt: { description: 'The result of the test.' },
  ReplayTask: { description: 'A replay: it sends past events again, in the background.' },
  ReplaySelection: {
    description:
      '`failed`: failed deliveries, including those that wait for a retry or were cancelled by a 410. `missing`: events without a delivery. `all`: every event.',
  },
  TaskStatus: { description: 'State of the replay.' },
  'ReplayTask.id': { description: 'Id of the replay.', example: 7 },
  'ReplayTask.events': { description: 'Events that are replayed; empty: all that the endpoint receives.' },
  'ReplayTask.since': { description: 'Start of the period, UTC.' },
  'ReplayTask.until': { description: 'End of the period, UTC.' },
  task: { description: 'The replay.' },
  task_id: { description: 'Id of the replay.', example: 7 },
  selection: { description: 'Which events are sent again.', example: 'failed' },
  progress: { description: 'Part of the period that is done, from 0 to 1.', example: 1 },
  processed_until: {
    description:
      'Events up to this time are queued, UTC; null at the start. If `limit_reached` is true, continue from here.',
  },
  queued: { description: 'Number of deliveries that were queued.', example: 214 },
  limit_reached: {
    description: 'Whether the replay ended because it had queued 50,000 deliveries.',
    example: false,
  },
  finished_at: { description: 'Time when the replay ended, UTC, or null.' },
  DeliveryStatus: { description: 'State of a delivery.' },
  DeliveryReason: {
    description:
      'Why the delivery is cancelled: `endpoint_gone` (the endpoint answered 410), `endpoint_deleted` or `user_deleted`. Or why it is pending without a next attempt: `endpoint_disabled`, `endpoint_inactive` or `partner_suspended`.',
  },
  'Delivery.reason': deliveryReason,
  'DeliveryWithPayload.reason': deliveryReason,
  'CaseDelivery.reason': deliveryReason,
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
  'query.type': { description: 'Only events of this type, or of a family such as `case.*`.' },
  event_types: { description: 'All event types.' },
  schema: { description: 'JSON Schema of the body of the event.', example: { type: 'object' } },
  example: { description: 'Example of the body of the event.' },
  WebhookEvent: { description: 'An event. `type` says which fields `data` has.' },
  EventCase: { description: 'A case, as the interface shows it, with its user.' },
  ChangedCaseOfPartner: {
    description:
      'A changed case at the time of the event, with its version and the number of the matter at your firm.',
  },
  VersionedCase: { description: 'A case at the time of the event, with its version.' },
  DeletedCase: { description: 'The ids of a deleted case.' },
  EventStatusUpdate: { description: 'A status update without the state of its notifications.' },
  EventMonitoring: { description: 'The monitoring state of a case after the change.' },
  VersionedUser: { description: 'A user at the time of the event, with the version.' },
  DeletedUser: { description: 'The id of a deleted user.' },
  EventNotification: {
    description: 'The result of the notification about one status update on one channel.',
  },
  version: {
    description: 'Grows with each change. Ignore data with a lower version than the data that you have.',
    example: 2,
  },
  observation: {
    description: 'Number of the status update of the case. A higher number is newer.',
    example: 2,
  },
  revision: { description: 'Grows with each change. A higher number is newer.', example: 3 },
  data: { description: 'The data of the event.' },
  notification: { description: 'The notification.' },
  status_update: { description: 'The new status.' },
  previous_status_code: { description: 'The previous status, or null.', example: 'Case Was Received' },
  event: { description: 'Event type.', example: 'case.status_updated' },
  headers: {
    description:
      'Custom headers that are sent with each delivery, at most 10. Responses contain only their names.',
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
  'Delivery.id': {
    description: 'Id of the delivery.',
    example: 'evt_019a5c7e-3b1d-7c52-8f60-2d41c09ab8e7:12',
  },
  'Delivery.case': {
    description:
      'The case of the event, without `receipt_number` where the event has none; null for an event of something else, and after the deletion of the user.',
  },
  'Delivery.status': { description: 'State of the delivery.', example: 'delivered' },
  'CaseDelivery.id': {
    description: 'Id of the delivery.',
    example: 'evt_019a5c7e-3b1d-7c52-8f60-2d41c09ab8e7:12',
  },
  'CaseDelivery.status': { description: 'State of the delivery.', example: 'delivered' },
  channel: { description: '`email` or `whatsapp`.' },
  n: { description: 'Id of the notification.', example: '5210' },
  a: { description: 'Number of the attempt.', example: '1' },
  MessageSid: { description: 'Id of the message at Twilio.' },
  MessageStatus: { description: 'Status of the message at Twilio.' },
  event_id: {
    description: 'Id of the event. It is the same for all endpoints.',
    example: 'evt_019a5c7e-3b1d-7c52-8f60-2d41c09ab8e7',
  },
  attempts: { description: 'The attempts so far.' },
  next_attempt_at: {
    description: 'Time of the next attempt, UTC; null if none is planned.',
    example: null,
  },
  at: { description: 'Time of the attempt, UTC.' },
  ms: { description: 'Duration of the attempt in milliseconds.', example: 87 },
  error: { description: 'Error of the attempt, or null.', example: null },
  manual: { description: 'Whether the attempt was requested by hand.', example: false },
};
