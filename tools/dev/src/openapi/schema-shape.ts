import type { JsonSchema, OpenApiDocument } from '@casewatch/contracts';
import { resolved } from './resolved.ts';

/** A schema with its alternatives laid together. */
export type Shape = {
  readonly types: ReadonlySet<string>;
  /** As JSON; undefined where any value of the type will do. */
  readonly values: ReadonlySet<string> | undefined;
  /** The one alternative that is not null: it has the fields, elements and bounds. */
  readonly main: JsonSchema;
};

/** Follows references and `anyOf`: a union of enumerations is one enumeration, and null is a type. */
export function shapeOf(document: OpenApiDocument, schema: JsonSchema): Shape {
  const options = alternatives(document, schema);
  const valued = options.filter(({ type }) => type !== 'null');
  const values = valued.map(valuesOf);
  return {
    types: new Set(options.flatMap(({ type }) => type ?? [])),
    values: values.every((list) => list !== undefined) ? new Set(values.flat()) : undefined,
    main: valued.length === 1 ? (valued[0] ?? {}) : {},
  };
}

function alternatives(document: OpenApiDocument, schema: JsonSchema): JsonSchema[] {
  const target: JsonSchema = resolved(document, schema);
  return target.anyOf ? target.anyOf.flatMap((option) => alternatives(document, option)) : [target];
}

function valuesOf(schema: JsonSchema): string[] | undefined {
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  return schema.enum?.map((value) => JSON.stringify(value));
}
