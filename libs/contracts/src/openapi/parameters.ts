import type { Operation } from '../operation.ts';
import type { OperationName } from '../operations.ts';
import { exampleOf } from './example-of.ts';
import { noteFor } from './field-notes.ts';
import { recordedExamples } from './recorded-examples.ts';
import { schemaOf } from './schema-of.ts';
import type { ParameterObject, Reference } from './types.ts';

/** X-Request-Id is not listed: any value is accepted, so a schema would be wrong. */
export const sharedParameters: Record<string, ParameterObject> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A request with the same key, path and body returns the first successful response again, for 24 hours. The same key with another body is refused with 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
};

type Row = Operation & { name: OperationName };

export function parametersOf(row: Row): (ParameterObject | Reference)[] {
  return [
    ...partOf(row, 'params', 'path'),
    ...partOf(row, 'query', 'query'),
    ...(row.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
}

function partOf(row: Row, key: 'params' | 'query', place: 'path' | 'query'): ParameterObject[] {
  const part = row[key];
  if (!part) return [];
  const sent = sentWith(row);
  const { properties = {}, required = [] } = schemaOf(part, 'input');
  return Object.entries(properties).map(([name, schema]) => {
    // zod never writes a boolean schema for a property.
    const { description, ...own } = typeof schema === 'boolean' ? {} : schema;
    const isRequired = place === 'path' || required.includes(name);
    const note = noteFor(name, place)?.description ?? description;
    return {
      name,
      in: place,
      required: isRequired,
      ...(note === undefined ? {} : { description: note }),
      schema: own,
      ...(isRequired ? { example: sent[name] ?? exampleOf(own, { field: name }) } : {}),
    };
  });
}

/** The parameters of the recorded request, by name; ids as numbers. */
function sentWith({ name, path }: Row): Record<string, string | number> {
  const recorded = recordedExamples().operations[name]?.answers[0]?.request.path;
  if (recorded === undefined) return {};
  const { pathname, searchParams } = new URL(recorded, 'http://any');
  // Each parameter of the template becomes a named group for one segment.
  const template = new RegExp(`^${path.replaceAll(/\{([a-z_]+)\}/g, '(?<$1>[^/]+)')}$`);
  const sentParameters = { ...Object.fromEntries(searchParams), ...template.exec(pathname)?.groups };
  return Object.fromEntries(
    Object.entries(sentParameters).map(([key, text]) => [
      key,
      /^\d+$/.test(text) && key.endsWith('_id') ? Number(text) : text,
    ]),
  );
}
