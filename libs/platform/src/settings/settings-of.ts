import { z } from 'zod';
import { ruleOf } from './setting-rules.ts';

export type SettingsSchema = z.ZodObject;

export interface Setting {
  name: string;
  meaning: string;
  fallback: string | undefined;
  isRequired: boolean;
  isSecret: boolean;
}

interface Definition {
  innerType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  defaultValue?: unknown;
}

/** In the order of the schema. @throws Error naming a setting without a description */
export function settingsOf(config: SettingsSchema): Setting[] {
  return Object.entries(config.shape).map(([name, schema]) => {
    const meaning = layersOf(schema).flatMap((layer) => z.globalRegistry.get(layer)?.description ?? [])[0];
    if (meaning === undefined) throw new Error(`${name} has no description`);
    const isRequired = !z.safeParse(schema, undefined).success;
    const isSecret = ruleOf(schema).isSecret === true;
    return { name, meaning, fallback: fallbackOf(schema), isRequired, isSecret };
  });
}

/** The schema and its inner schemas: below `.optional()`, `.default()` and before a transformation. */
function layersOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  const { innerType, in: input } = schema._zod.def as Definition;
  const next = innerType ?? input;
  return next === undefined ? [schema] : [schema, ...layersOf(next)];
}

function fallbackOf(schema: z.core.$ZodType): string | undefined {
  const values = layersOf(schema).map((layer) => (layer._zod.def as Definition).defaultValue);
  const value = values.find((layerValue) => layerValue !== undefined);
  if (value === undefined || value === '') return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
