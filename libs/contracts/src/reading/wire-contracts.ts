import { z } from 'zod';
import { envelope } from '../events/envelope.ts';
import { events } from '../events/registry.ts';
import type { JsonSchema } from '../openapi/types.ts';
import { principal } from '../principal.ts';
import { requests } from '../requests/registry.ts';

/** Schemas by what they are of: `event status.updated`, `request cases.case`, `reply cases.case`, `principal`. */
export type WireContracts = Record<string, JsonSchema>;

/**
 * What services say to each other, as JSON Schema. `written`: the values that this release writes. `read`: also what it
 * reads of a newer release, so an enum that survives unknown values accepts anything.
 */
export function wireContracts(as: 'written' | 'read'): WireContracts {
  const schemas: Record<string, z.ZodType> = { principal, envelope };
  for (const [name, { schema }] of Object.entries(events)) schemas[`event ${name}`] = schema;
  for (const [name, { request, reply }] of Object.entries(requests)) {
    schemas[`request ${name}`] = request;
    schemas[`reply ${name}`] = reply;
  }
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toJson(schema, as)]));
}

function toJson(schema: z.ZodType, as: 'written' | 'read'): JsonSchema {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      // Repaired before it is parsed (reader.ts), so anything is read.
      if (as === 'read' && def.type === 'pipe' && def.in._zod.def.type === 'transform')
        for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
    },
  }) as JsonSchema;
  delete json.$schema;
  return json;
}
