import { type WebhookEventType, webhookEventTypes } from '../resources/webhook.ts';
import { webhookEventBodies, webhookEventExample } from '../webhook-events/bodies.ts';
import { webhookEvents } from '../webhook-events/registry.ts';
import { groupOf } from './groups.ts';
import { namedSchemas } from './named-schemas.ts';
import type { JsonSchema, ParameterObject, WebhookObject } from './types.ts';

/** The requests that Casewatch sends: one entry for each event type (OpenAPI 3.1, `webhooks`). */
export function webhookObjects(): Record<WebhookEventType, { post: WebhookObject }> {
  return Object.fromEntries(webhookEventTypes.map((type) => [type, { post: webhookObject(type) }])) as Record<
    WebhookEventType,
    { post: WebhookObject }
  >;
}

function webhookObject(type: WebhookEventType): WebhookObject {
  return {
    operationId: `receive_${type.replace('.', '_')}`,
    summary: type,
    description: webhookEvents[type].description,
    tags: [groupOf('/v1/webhooks')],
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${namedSchemas.get(webhookEventBodies[type])}` },
          example: webhookEventExample(type),
        },
      },
    },
    responses: {
      '2XX': { description: 'Any 2xx status within 15 seconds: the endpoint received the event.' },
      '410': { description: 'The endpoint no longer wants events. Casewatch disables it immediately.' },
      default: { description: 'Any other response, or no response: Casewatch tries again later.' },
    },
  };
}

/** The headers of Standard Webhooks (webhooks.md, Events). */
const parameters: ParameterObject[] = [
  header('webhook-id', 'Id of the event, the same in every attempt. Ignore ids that you have handled.', {
    type: 'string',
    maxLength: 64,
    examples: ['evt_019a5c7e-3b1d-7c52-8f60-2d41c09ab8e7'],
  }),
  header('webhook-timestamp', 'Time of this attempt, Unix time in seconds.', {
    type: 'string',
    maxLength: 16,
    pattern: '^[0-9]+$',
    examples: ['1795255200'],
  }),
  header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. During a rotation of the secret there are several, separated by spaces.',
    { type: 'string', maxLength: 512, examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='] },
  ),
];

function header(name: string, description: string, schema: JsonSchema): ParameterObject {
  return { name, in: 'header', required: true, description, schema };
}
