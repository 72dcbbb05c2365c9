import {
  describeWebhookEventTypes,
  openApiDocument,
  webhookEvent,
  webhookEventBodies,
  webhookEventTypes,
} from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { withExtraFields } from '../support/with-extra-fields.ts';

const described = describeWebhookEventTypes();

describe('event types', () => {
  it('are all described, in the order of the catalogue', () => {
    expect(described.map(({ name }) => name)).toEqual([...webhookEventTypes]);
  });

  it.each(described.map((row) => [row.name, row] as const))(
    'the example of %s has the schema that is published',
    (name, { example, schema }) => {
      expect(webhookEventBodies[name].parse(example)).toEqual(example);
      expect(webhookEvent.parse(example)).toEqual(example);
      const published = z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema);
      expect(published.safeParse(example).error?.issues ?? []).toEqual([]);
      expect(published.safeParse({ ...example, data: {} }).success).toBe(false);
    },
  );

  it.each(described.map((row) => [row.name, row] as const))(
    'the schema of %s accepts fields of a later release',
    (_name, { example, schema }) => {
      const jsonSchema = schema as z.core.JSONSchema.JSONSchema;
      const later = withExtraFields(example, jsonSchema, { everywhere: true });
      expect(later).not.toEqual(example);
      expect(z.fromJSONSchema(jsonSchema).safeParse(later).error?.issues ?? []).toEqual([]);
    },
  );

  it('are the webhooks of the OpenAPI document, with the same examples', () => {
    const { webhooks } = openApiDocument({ publicUrl: 'https://casewatch.example' });
    const examples = Object.entries(webhooks).map(([type, { post }]) => [
      type,
      post.requestBody.content['application/json']?.example,
    ]);
    expect(examples).toEqual(described.map(({ name, example }) => [name, example]));
  });
});
