import type { Operation } from '../operation.ts';
import type { OperationName } from '../operations.ts';
import { exampleOf } from './example-of.ts';
import { recordedExamples } from './recorded-examples.ts';
import { schemaOf } from './schema-of.ts';
import type { JsonSchema, RequestBodyObject } from './types.ts';

/** The body that an operation takes, in each media type that it consumes; undefined where it takes none. */
export function requestBodyOf(row: Operation & { name: OperationName }): RequestBodyObject | undefined {
  if (!row.body) return undefined;
  const schema = schemaOf(row.body, 'input');
  if (row.errors.includes('empty_update')) schema.minProperties = 1;
  const { body, form } = recordedExamples().operations[row.name]?.answers[0]?.request ?? {};
  const example = body ?? form ?? exampleOf(requiredPart(schema), {});
  const types = row.consumes ?? ['application/json'];
  return {
    required: !takesNothing(schema),
    content: Object.fromEntries(types.map((type) => [type, { schema, example }])),
  };
}

/** Whether no body is as good as any; alternatives each ask for something. */
function takesNothing({ required = [], minProperties, oneOf }: JsonSchema): boolean {
  return required.length === 0 && minProperties === undefined && oneOf === undefined;
}

/** What must be sent, so that an example is the shortest request that works. */
function requiredPart(schema: JsonSchema): JsonSchema {
  const properties = Object.entries(schema.properties ?? {});
  return {
    ...schema,
    properties: Object.fromEntries(properties.filter(([name]) => schema.required?.includes(name))),
  };
}
