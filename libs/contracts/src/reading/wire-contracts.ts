import { z } from 'zod';
import { envelope } from '../events/envelope.ts';
import { events } from '../events/registry.ts';
import type { JsonSchema } from '../openapi/types.ts';
import { principal } from '../principal.ts';
import { requests } from '../requests/registry.ts';

/** Keys: `event status.updated`, `request cases.case`, `reply cases.case`, `principal`. */
export type WireContracts = Record<string, JsonSchema>;

/** The messages between services as JSON Schema. `written`: by this release; `read`: also values of a newer release. */
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
      // The reader repairs it first, so any value is accepted.
      if (as === 'read' && def.type === 'pipe' && def.in._zod.def.type === 'transform')
        for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
    },
  }) as JsonSchema;
  delete json.$schema;
  return json;
}
