import { z } from 'zod';
import { unknownValues } from './unknown-values.ts';

/** A schema with the same input and output. */
export type Reader<T extends z.ZodType> = z.ZodType<z.output<T>, z.input<T>>;

/**
 * The same schema for a reader of what another release may have written: it leaves out fields that it does not know, at
 * every level, and reads unknown values as `unknownValues` says.
 * @throws Error where an enum says nothing of unknown values: then a new value would stop every reader
 */
export function reader<T extends z.ZodType>(schema: T): Reader<T> {
  return reading(schema, false) as unknown as Reader<T>;
}

type AnySchema = z.core.$ZodType;

/** `isCovered`: something around it says what becomes of an unknown value. */
function reading(schema: AnySchema, isCovered: boolean): AnySchema {
  const rule = ruleOf(schema);
  const inner = openedSchema(schema, isCovered || rule !== undefined);
  if (!rule || 'leftOut' in rule) return inner;
  const { def } = (inner as z.core.$ZodTypes)._zod;
  if (def.type === 'union' && 'discriminator' in def)
    return repaired(inner, (value) =>
      withKnownOption(value, def as z.core.$ZodDiscriminatedUnionDef, rule.readAs),
    );
  return repaired(inner, (value) => (isValid(inner, value) ? value : rule.readAs));
}

/** What is said of a value holds for the value or null too. */
function ruleOf(schema: AnySchema): ReturnType<typeof unknownValues.get> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return unknownValues.get(schema) ?? (def.type === 'nullable' ? ruleOf(def.innerType) : undefined);
}

function openedSchema(schema: AnySchema, isCovered: boolean): AnySchema {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const open = (inner: AnySchema) => reading(inner, isCovered);
  switch (def.type) {
    case 'object':
      return z.object(
        Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, open(field)])),
      );
    case 'array':
      return openedList(schema, def.element, isCovered);
    case 'tuple':
      return changed(schema, { items: def.items.map(open) });
    case 'union':
      return changed(schema, { options: def.options.map(open) });
    case 'nullable':
      return changed(schema, { innerType: openedSchema(def.innerType, isCovered) });
    case 'optional':
    case 'default':
      return changed(schema, { innerType: open(def.innerType) });
    case 'enum':
      if (!isCovered)
        throw new Error(`unknownValues has no rule for ${Object.values(def.entries).join(', ')}`);
      return schema;
    default:
      return schema;
  }
}

function openedList(schema: AnySchema, elementOf: AnySchema, isCovered: boolean): AnySchema {
  const rule = unknownValues.get(elementOf);
  const element = reading(elementOf, isCovered);
  const list = changed(schema, { element });
  if (!rule || !('leftOut' in rule)) return list;
  return repaired(list, (items) =>
    Array.isArray(items) ? items.filter((item) => isValid(element, item)) : items,
  );
}

/** The same schema with other parts; its checks, such as the length of a list, stay. */
function changed(schema: AnySchema, parts: object): AnySchema {
  return z.core.clone(schema, { ...schema._zod.def, ...parts });
}

/** A value that is there is repaired before it is parsed; one that is missing stays missing. */
function repaired(schema: AnySchema, repair: (value: unknown) => unknown): AnySchema {
  return z.preprocess((value) => (value === undefined ? value : repair(value)), schema);
}

function isValid(schema: AnySchema, value: unknown): boolean {
  return z.safeParse(schema, value).success;
}

function withKnownOption(value: unknown, def: z.core.$ZodDiscriminatedUnionDef, readAs: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const name = def.discriminator;
  const found = (value as Record<string, unknown>)[name];
  const isKnown = def.options.some((option) => isOptionOf(option as AnySchema, name, found));
  return isKnown ? value : { ...value, [name]: readAs };
}

/** The options of our unions are objects. */
function isOptionOf(option: AnySchema, name: string, value: unknown): boolean {
  const { def } = (option as z.core.$ZodTypes)._zod;
  const field = def.type === 'object' ? def.shape[name] : undefined;
  return field !== undefined && isValid(field, value);
}
