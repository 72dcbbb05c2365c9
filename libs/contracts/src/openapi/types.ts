import type { z } from 'zod';
import type { Method } from '../operation.ts';

export type JsonSchema = z.core.JSONSchema.JSONSchema;

export type Reference = { $ref: string };

export type ExampleObject = { summary: string; value: unknown };

export type MediaType = {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, Reference | ExampleObject>;
};

export type ParameterObject = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
};

export type ResponseObject = {
  description: string;
  headers: Record<string, Reference>;
  content?: Record<string, MediaType>;
};

export type RequestBodyObject = { required: boolean; content: Record<string, MediaType> };

export type OperationObject = {
  operationId: string;
  summary: string;
  description: string;
  tags: [string];
  security: Record<string, string[]>[];
  'x-required-scope'?: string;
  parameters: (ParameterObject | Reference)[];
  requestBody?: RequestBodyObject;
  responses: Record<string, ResponseObject | Reference>;
};

/** A request that Casewatch sends. */
export type WebhookObject = Omit<OperationObject, 'responses' | 'x-required-scope'> & {
  requestBody: RequestBodyObject;
  responses: Record<string, { description: string }>;
};

export type PathItem = Partial<Record<Lowercase<Method>, OperationObject>>;

/** The subset of OpenAPI 3.1 that this document uses. */
export type OpenApiDocument = {
  openapi: string;
  info: Record<string, unknown> & { title: string; version: string; description: string };
  servers: { url: string; description: string; 'x-internal': boolean }[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  webhooks: Record<string, { post: WebhookObject }>;
  components: {
    securitySchemes: Record<string, Record<string, string>>;
    parameters: Record<string, ParameterObject>;
    headers: Record<string, { description: string; schema: JsonSchema }>;
    responses: Record<string, ResponseObject>;
    examples: Record<string, ExampleObject>;
    schemas: Record<string, JsonSchema>;
  };
};
