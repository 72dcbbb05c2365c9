import { z } from 'zod';
import { type WebhookEventType, webhookEventTypes } from '../resources/webhook.ts';
import { type WebhookEvent, webhookEventBodies, webhookEventExample } from './bodies.ts';
import { webhookEvents } from './registry.ts';

type JsonSchemaObject = Record<string, unknown>;

export type WebhookEventTypeDescription = {
  name: WebhookEventType;
  description: string;
  schema: JsonSchemaObject;
  example: WebhookEvent;
};

/** Every event type, with the JSON Schema and an example of its body. */
export function describeWebhookEventTypes(): WebhookEventTypeDescription[] {
  return webhookEventTypes.map((name) => ({
    name,
    description: webhookEvents[name].description,
    schema: openSchema(webhookEventBodies[name]),
    example: webhookEventExample(name),
  }));
}

/** Without `additionalProperties`: a receiver must accept the fields of a later release (interface.md §1, Versioning). */
function openSchema(schema: z.ZodType): JsonSchemaObject {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties;
      if (jsonSchema.type === 'integer') jsonSchema.format = 'int64';
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  }) as JsonSchemaObject;
}
