import { noteFor } from './field-notes.ts';
import { componentOf } from './schema-of.ts';
import type { JsonSchema } from './types.ts';

type Place = { field?: string; component?: string | undefined };

/** The example of the schema or of the field notes, otherwise the simplest value. It is the same each time. */
export function exampleOf(schema: JsonSchema, place: Place): unknown {
  if (schema.$ref !== undefined) {
    const { name, schema: target } = componentOf(schema.$ref);
    return exampleOf(target, { ...place, component: target.type === 'object' ? name : place.component });
  }
  if (schema.const !== undefined) return schema.const;
  const notedExample = place.field === undefined ? undefined : noteFor(place.field, place.component)?.example;
  if (notedExample !== undefined && matchesType(notedExample, schema)) return notedExample;
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.enum) return schema.enum[0];
  const option = schema.anyOf?.find(({ type }) => type !== 'null');
  if (option) return exampleOf(option, place);
  return byType(schema, place);
}

function byType(schema: JsonSchema, place: Place): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') return objectOf(schema, place.component);
  if (type === 'array') {
    const items = Array.isArray(schema.items) ? schema.items[0] : schema.items;
    // The field notes name an element by its list.
    return typeof items === 'object' ? [exampleOf(items, place)] : [];
  }
  if (type === 'null') return null;
  if (type === 'boolean') return schema.default ?? true;
  if (type === 'integer' || type === 'number') return schema.default ?? schema.minimum ?? 1;
  if (schema.format === 'date-time') return '2026-11-21T10:00:00.000Z';
  return schema.default ?? 'text';
}

function objectOf(schema: JsonSchema, component: string | undefined): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([field, property]) => [
      field,
      typeof property === 'boolean' ? null : exampleOf(property, { field, component }),
    ]),
  );
}

/** A note applies to every field of its name, but its example can be of another type. */
function matchesType(value: unknown, schema: JsonSchema): boolean {
  if (schema.$ref !== undefined) return matchesType(value, componentOf(schema.$ref).schema);
  if (schema.enum) return schema.enum.some((allowed) => allowed === value);
  if (schema.anyOf) return schema.anyOf.some((option) => matchesType(value, option));
  const { items } = schema;
  if (Array.isArray(value) && typeof items === 'object' && !Array.isArray(items))
    return value.every((item) => matchesType(item, items));
  if (schema.pattern !== undefined && typeof value === 'string' && !new RegExp(schema.pattern).test(value))
    return false;
  const types = [schema.type ?? []].flat();
  return types.length === 0 || types.some((type) => isOfType(value, type));
}

function isOfType(value: unknown, type: string): boolean {
  if (value === null) return type === 'null';
  if (Array.isArray(value)) return type === 'array';
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}
