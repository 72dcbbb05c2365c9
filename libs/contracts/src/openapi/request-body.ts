import type { Operation } from '../operation.ts';
import type { OperationName } from '../operations.ts';
import { exampleOf } from './example-of.ts';
import { recordedExamples } from './recorded-examples.ts';
import { schemaOf } from './schema-of.ts';
import type { JsonSchema, MediaType, RequestBodyObject } from './types.ts';

/** Undefined if the operation has no body. */
export function requestBodyOf(row: Operation & { name: OperationName }): RequestBodyObject | undefined {
  if (row.signedBody) {
    const types = row.consumes ?? ['application/json'];
    const content = Object.fromEntries(types.map((type) => [type, { schema: {}, example: [] }]));
    return { required: true, content };
  }
  if (row.anyBody) return anyBodyOf(row);
  if (!row.body) return undefined;
  const schema = schemaOf(row.body, 'input');
  if (row.errors.includes('empty_update')) schema.minProperties = 1;
  const { body, form } = recordedExamples().operations[row.name]?.answers[0]?.request ?? {};
  const example = body ?? form ?? exampleOf(requiredPart(schema), {});
  const types = row.consumes ?? ['application/json'];
  return {
    required: !allowsEmptyBody(schema),
    content: Object.fromEntries(
      types.map((type) => [type, type === 'text/csv' ? fileOf(row) : { schema, example }]),
    ),
  };
}

/** A file with the columns that a row needs. */
function fileOf({ maxBodyBytes }: Operation): MediaType {
  const example =
    'receipt_number,email,name,uscis_access_acknowledged\nEAC9999103403,ana@example.com,Ana Silva,yes\n';
  return { schema: { type: 'string', ...(maxBodyBytes && { maxLength: maxBodyBytes }) }, example };
}

/** The types that mail programs send (RFC 8058 §3.2), and that of programs. */
function anyBodyOf(row: Operation & { name: OperationName }): RequestBodyObject {
  const example = recordedExamples().operations[row.name]?.answers[0]?.request.form ?? {};
  const types = ['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json'];
  const mediaType = (): MediaType => ({
    schema: { type: 'object', properties: {}, additionalProperties: {} },
    example,
  });
  return { required: false, content: Object.fromEntries(types.map((type) => [type, mediaType()])) };
}

/** True if an empty body is valid. */
function allowsEmptyBody({ required = [], minProperties, anyOf }: JsonSchema): boolean {
  return required.length === 0 && minProperties === undefined && anyOf === undefined;
}

/** Only required fields: the shortest request that works. */
function requiredPart(schema: JsonSchema): JsonSchema {
  const properties = Object.entries(schema.properties ?? {});
  return {
    ...schema,
    properties: Object.fromEntries(properties.filter(([name]) => schema.required?.includes(name))),
  };
}
