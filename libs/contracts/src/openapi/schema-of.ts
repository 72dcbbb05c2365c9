import { z } from 'zod';
import { exactSchemas } from './exact-schemas.ts';
import { noteFor } from './field-notes.ts';
import { namedSchemas } from './named-schemas.ts';
import type { JsonSchema } from './types.ts';

/** `input`: what is sent; `output`: what is returned. Named schemas become references; field notes fill in descriptions. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // zod passes its core classes; ours are classic, which extend them.
      const classic = zodSchema as unknown as z.ZodType;
      const component = classic === schema ? undefined : namedSchemas.get(classic);
      const exact = component ? { $ref: `#/components/schemas/${component}` } : exactSchemas.get(classic);
      if (exact) replace(jsonSchema, { ...exact, ...z.globalRegistry.get(classic) });
      simplify(jsonSchema);
    },
  }) as JsonSchema;
  delete json.$schema;
  describe(json, namedSchemas.get(schema));
  return json;
}

/** The schemas that the other parts refer to, directly or indirectly. */
export function componentSchemas(parts: unknown): Record<string, JsonSchema> {
  const components: Record<string, JsonSchema> = {};
  let isGrowing = true;
  while (isGrowing) {
    isGrowing = false;
    const text = JSON.stringify([parts, components]);
    for (const [schema, component] of namedSchemas) {
      if (component in components || !text.includes(`"#/components/schemas/${component}"`)) continue;
      components[component] = schemaOf(schema, 'output');
      isGrowing = true;
    }
  }
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Each schema stands after those that it refers to: generators write constants in this order, and one must exist before its use. */
export function referredFirst(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const ordered: Record<string, JsonSchema> = {};
  const visited = new Set<string>();
  const visit = (name: string) => {
    const schema = schemas[name];
    if (schema === undefined || visited.has(name)) return;
    visited.add(name);
    for (const [, referred = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      visit(referred);
    ordered[name] = schema;
  };
  for (const name of Object.keys(schemas)) visit(name);
  return ordered;
}

export function componentOf(reference: string): { name: string; schema: JsonSchema } {
  const name = reference.replace('#/components/schemas/', '');
  for (const [schema, component] of namedSchemas) {
    if (component === name) return { name, schema: schemaOf(schema, 'output') };
  }
  throw new Error(`${reference} leads nowhere`);
}

function replace(target: z.core.JSONSchema.BaseSchema, source: object): void {
  for (const key of Object.keys(target)) delete target[key];
  Object.assign(target, source);
}

/** Integers can exceed 32 bits; zod repeats the format of times as a pattern. */
function simplify(json: z.core.JSONSchema.BaseSchema): void {
  if ([json.type].flat().includes('integer')) json.format = 'int64';
  if (json.minLength === 0) delete json.minLength;
  if (json.format === 'date-time') delete json.pattern;
}

/** After the conversion: during it, fields of one type share one object. */
function describe(json: JsonSchema, component?: string): void {
  const note = component === undefined ? undefined : noteFor(component)?.description;
  if (note !== undefined) json.description ??= note;
  for (const [field, property] of Object.entries(json.properties ?? {})) {
    if (typeof property === 'boolean') continue;
    const note = noteFor(field, component)?.description;
    if (note !== undefined) property.description ??= note;
    describe(property);
  }
  for (const inner of [json.items ?? [], json.anyOf ?? []].flat()) {
    if (typeof inner !== 'boolean') describe(inner);
  }
}
