import type { z } from 'zod';
import type { Operation } from '../operation.ts';
import { exampleOf } from './example-of.ts';
import { noteFor } from './field-notes.ts';
import { schemaOf } from './schema-of.ts';
import type { ParameterObject, Reference } from './types.ts';

/**
 * Request headers that several operations take. X-Request-Id is not among them: any value is taken, so that a schema could
 * only be wrong; the description of the whole interface tells of it.
 */
export const sharedParameters: Record<string, ParameterObject> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'The same key, path and body give the first successful answer again for 24 hours; the same key with another body is 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
};

/** What an operation takes in its path, query and headers. */
export function parametersOf(row: Operation): (ParameterObject | Reference)[] {
  return [
    ...partOf(row.params, 'path'),
    ...partOf(row.query, 'query'),
    ...(row.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
}

function partOf(part: z.ZodObject | undefined, place: 'path' | 'query'): ParameterObject[] {
  if (!part) return [];
  const { properties = {}, required = [] } = schemaOf(part, 'input');
  return Object.entries(properties).map(([name, schema]) => {
    // zod never writes a boolean schema for a property
    const { description, ...own } = typeof schema === 'boolean' ? {} : schema;
    const isRequired = place === 'path' || required.includes(name);
    const said = description ?? noteFor(name)?.description;
    return {
      name,
      in: place,
      required: isRequired,
      ...(said === undefined ? {} : { description: said }),
      schema: own,
      ...(isRequired ? { example: exampleOf(own, { field: name }) } : {}),
    };
  });
}
