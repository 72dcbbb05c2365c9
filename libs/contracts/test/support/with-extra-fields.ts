import type { JsonSchema } from '@casewatch/contracts';
import { z } from 'zod';

/** The value with a field more in every object: where the schema does not forbid it, or `everywhere`. */
export function withExtraFields(
  value: unknown,
  schema: JsonSchema | boolean | undefined,
  options: { everywhere?: boolean } = {},
): unknown {
  if (typeof schema !== 'object' || typeof value !== 'object' || value === null) return value;
  const fitting = (schema.anyOf ?? schema.oneOf)?.find(
    (one) => z.fromJSONSchema(one).safeParse(value).success,
  );
  if (fitting) return withExtraFields(value, fitting, options);
  if (Array.isArray(value)) {
    const { prefixItems, items } = schema;
    const every = Array.isArray(items) ? items[0] : items;
    return value.map((item, place) => withExtraFields(item, prefixItems?.[place] ?? every, options));
  }
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    withExtraFields(field, schema.properties?.[name], options),
  ]);
  const isOpen = options.everywhere || schema.additionalProperties !== false;
  return { ...Object.fromEntries(fields), ...(isOpen && { field_of_tomorrow: { is: 'new' } }) };
}
