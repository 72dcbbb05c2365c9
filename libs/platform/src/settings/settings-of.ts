import { z } from 'zod';
import type { baseSettings, principalSettings, storeSettings } from './config.ts';
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

type Parsed<S extends z.core.$ZodLooseShape> = z.output<z.ZodObject<S>>;

/** The settings that the chassis reads. Only services with a database or operations have the optional ones. */
export type ServiceSettings = Parsed<typeof baseSettings> &
  Partial<Parsed<typeof storeSettings> & Parsed<typeof principalSettings>>;

/** Longest value in the summary, characters: longer ones are certificates and key sets. */
const longest = 200;

const contact = /@|\+\d{7}/;

/** The effective settings for the log. Secrets, contacts and long values are `[set]`. */
export function summaryOf(schema: SettingsSchema, config: Readonly<Record<string, unknown>>) {
  const secrets = new Set(settingsOf(schema).flatMap(({ name, isSecret }) => (isSecret ? name : [])));
  const present = Object.entries(config).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    present.map(([name, value]) => {
      const text = JSON.stringify(value);
      const isReadable = !secrets.has(name) && text.length <= longest && !contact.test(text);
      return [name, isReadable ? value : '[set]'];
    }),
  );
}
