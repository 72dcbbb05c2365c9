import type { JsonSchema } from '@casewatch/contracts';

type Value = unknown;
/** `tomorrow`: each enum also has a value that this release does not know. */
type Options = { tomorrow?: boolean };

/** A value that only readers make, for what they do not know; no release writes it. */
const neverWritten = 'other';
/** A value of a newer release's enum. */
export const valueOfTomorrow = 'value_of_tomorrow';

/**
 * Values that fit a schema: together they show every value of every enum, every alternative, and each field that may be null
 * or absent both ways. Each differs from the first in one place.
 */
export function examplesOf(schema: JsonSchema | boolean | undefined, options: Options = {}): Value[] {
  if (typeof schema !== 'object') return ['anything'];
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum) {
    const values = schema.enum.filter((value) => value !== neverWritten);
    return options.tomorrow ? [...values, valueOfTomorrow] : values;
  }
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.flatMap((one) => examplesOf(one, options));
  if (Array.isArray(schema.type))
    return schema.type.flatMap((type) => examplesOf({ ...schema, type }, options));
  if (schema.type === 'object') return objects(schema, options);
  if (schema.type === 'array') return arrays(schema, options);
  return [scalar(schema)];
}

function objects({ properties = {}, required = [] }: JsonSchema, options: Options): Value[] {
  const fields = Object.entries(properties).map(([name, property]) => ({
    name,
    values: examplesOf(property, options),
  }));
  const first = Object.fromEntries(fields.map(({ name, values }) => [name, values[0]]));
  const others = fields.flatMap(({ name, values }) =>
    values.slice(1).map((value) => ({ ...first, [name]: value })),
  );
  const shortest = Object.fromEntries(Object.entries(first).filter(([name]) => required.includes(name)));
  return [first, ...others, shortest];
}

function arrays({ prefixItems, items, minItems = 0 }: JsonSchema, options: Options): Value[] {
  if (prefixItems) {
    const places = prefixItems.map((place) => examplesOf(place, options));
    const first = places.map((values) => values[0]);
    return places.flatMap((values, place) => values.map((value) => first.with(place, value)));
  }
  const values = examplesOf(Array.isArray(items) ? items[0] : items, options);
  return [...values.map((value) => [value]), ...(minItems === 0 ? [[]] : [])];
}

function scalar({ type, format, pattern, minimum = 1, minLength = 0 }: JsonSchema): Value {
  if (type === 'null') return null;
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return Math.max(1, minimum);
  if (format === 'date-time') return '2026-11-21T10:00:00.000Z';
  if (format === 'date') return '2026-11-21';
  if (format === 'uuid') return '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b';
  if (format === 'uri') return 'https://casewatch.example/link';
  const known = samples.find(
    (sample) => sample.length >= minLength && new RegExp(pattern ?? '').test(sample),
  );
  if (known === undefined) throw new Error(`no sample text for ${pattern}`);
  return known;
}

const samples = [
  'some text',
  '/casewatch/cases',
  'FLOW0001042',
  '123456',
  '08:00',
  'a'.repeat(64),
  'endpoint-12-1763285400000-half',
];
