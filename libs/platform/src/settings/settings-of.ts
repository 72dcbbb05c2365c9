import { z } from 'zod';
import { ruleOf } from './setting-rules.ts';

/** A service's settings: one described entry for each. */
export type SettingsSchema = z.ZodObject;

/** A setting as documents show it. */
export interface Setting {
  name: string;
  meaning: string;
  /** As one would write it into the environment; undefined: there is none. */
  fallback: string | undefined;
  isRequired: boolean;
  isSecret: boolean;
}

/** What a schema knows of itself, as far as documents need it (zod's `def`). */
interface Definition {
  innerType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  defaultValue?: unknown;
}

/**
 * The settings of a service, in the order of its schema.
 * @throws Error naming one that has no description
 */
export function settingsOf(config: SettingsSchema): Setting[] {
  return Object.entries(config.shape).map(([name, schema]) => {
    const meaning = layersOf(schema).flatMap((layer) => z.globalRegistry.get(layer)?.description ?? [])[0];
    if (meaning === undefined) throw new Error(`${name} has no description`);
    const isRequired = !z.safeParse(schema, undefined).success;
    const isSecret = ruleOf(schema).isSecret === true;
    return { name, meaning, fallback: fallbackOf(schema), isRequired, isSecret };
  });
}

/** The schema and what it wraps, from outside in: `.optional()`, `.default()`, the input side of a transformation. */
function layersOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  const { innerType, in: input } = schema._zod.def as Definition;
  const next = innerType ?? input;
  return next === undefined ? [schema] : [schema, ...layersOf(next)];
}

function fallbackOf(schema: z.core.$ZodType): string | undefined {
  const values = layersOf(schema).map((layer) => (layer._zod.def as Definition).defaultValue);
  const value = values.find((each) => each !== undefined);
  if (value === undefined || value === '') return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
