import { z } from 'zod';
import { envelope } from '../events/envelope.ts';
import { type EventRow, type EventType, events } from '../events/registry.ts';
import type { JsonSchema } from '../openapi/types.ts';
import { eventDescriptions } from './descriptions.ts';

type Reference = { $ref: string };

/** The subset of AsyncAPI 3.1 that this document uses. */
export type AsyncApiDocument = {
  asyncapi: string;
  info: Record<string, unknown> & { title: string; version: string; description: string };
  defaultContentType: string;
  servers: Record<string, { host: string; protocol: string; description: string }>;
  channels: Record<string, ChannelObject>;
  operations: Record<string, AsyncOperation>;
  components: { messages: Record<string, MessageObject>; schemas: Record<string, JsonSchema> };
};

type ChannelObject = {
  address: string;
  title: string;
  description: string;
  messages: Record<string, Reference>;
  /** The stream that stores the subject; null for core NATS. */
  'x-jetstream': { stream: string } | null;
};

type AsyncOperation = {
  action: 'send' | 'receive';
  title: string;
  description: string;
  channel: Reference;
  'x-service': string;
  bindings?: { nats: { queue: string; bindingVersion: string } };
};

type MessageObject = { name: string; title: string; summary: string; payload: JsonSchema };

const types = Object.keys(events) as EventType[];

/** What the services tell each other over NATS, from the table of events. */
export function asyncApiDocument(): AsyncApiDocument {
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Casewatch events',
      version: '1.0.0',
      description:
        'Events between the services of Casewatch over NATS. Each body is a CloudEvents 1.0 envelope in JSON. Events of a stream are delivered at least once, so that a consumer must expect the same `id` again. Readers ignore fields that they do not know. Partners receive webhooks instead: see the OpenAPI document.',
      contact: {
        name: 'Casewatch',
        url: 'https://casewatch.example/docs',
        email: 'partners@casewatch.example',
      },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      tags: [{ name: 'events', description: 'What happened, published by the service that owns it.' }],
    },
    defaultContentType: 'application/json',
    servers: { nats: { host: 'nats:4222', protocol: 'nats', description: 'NATS with JetStream.' } },
    channels: Object.fromEntries(types.map((type) => [type, channelOf(type)])),
    operations: Object.fromEntries(types.flatMap(operationsOf)),
    components: {
      messages: Object.fromEntries(types.map((type) => [type, messageOf(type)])),
      schemas: Object.fromEntries([
        ['envelope', schemaOf(envelope.omit({ type: true, data: true }))],
        ...types.map((type) => [type, schemaOf(events[type].schema)] as const),
      ]),
    },
  };
}

function channelOf(type: EventType): ChannelObject {
  const { stream }: EventRow = events[type];
  return {
    address: type,
    title: type,
    description: eventDescriptions[type],
    messages: { [type]: { $ref: `#/components/messages/${type}` } },
    'x-jetstream': stream === null ? null : { stream },
  };
}

function operationsOf(type: EventType): [string, AsyncOperation][] {
  const { owner, consumers, stream, everyReplica }: EventRow = events[type];
  const channel = { $ref: `#/channels/${type}` };
  const name = type.replace('.', '_');
  const receivers = consumers.map((service): [string, AsyncOperation] => [
    `${service}_receives_${name}`,
    {
      action: 'receive',
      title: `${service} receives ${type}`,
      description: everyReplica ? 'Every replica receives it.' : 'One replica receives it.',
      channel,
      'x-service': service,
      ...(stream === null && !everyReplica
        ? { bindings: { nats: { queue: service, bindingVersion: '0.1.0' } } }
        : {}),
    },
  ]);
  const description = stream === null ? 'Sent once, and may be lost.' : `Stored in the stream ${stream}.`;
  return [
    [
      `${owner}_sends_${name}`,
      { action: 'send', title: `${owner} sends ${type}`, description, channel, 'x-service': owner },
    ],
    ...receivers,
  ];
}

function messageOf(type: EventType): MessageObject {
  const own: JsonSchema = {
    type: 'object',
    properties: { type: { const: type }, data: { $ref: `#/components/schemas/${type}` } },
    required: ['type', 'data'],
  };
  return {
    name: type,
    title: type,
    summary: eventDescriptions[type],
    payload: { allOf: [{ $ref: '#/components/schemas/envelope' }, own] },
  };
}

function schemaOf(schema: z.ZodType): JsonSchema {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Readers ignore unknown fields, and zod repeats the format of times as a pattern.
      delete jsonSchema.additionalProperties;
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  }) as JsonSchema;
  delete json.$schema;
  return json;
}
