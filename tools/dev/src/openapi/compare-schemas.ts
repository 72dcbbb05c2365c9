import type { JsonSchema } from '@casewatch/contracts';
import type { Pair } from './pair.ts';
import { shapeOf } from './schema-shape.ts';

type Change = {
  readonly before: JsonSchema;
  readonly after: JsonSchema;
  readonly where: string;
  /** Who must live with it: a service that is sent something, or a client that is answered something. */
  readonly side: 'sent' | 'answered';
};

/** What a schema no longer takes (`sent`), or no longer promises (`answered`), each as one sentence. */
export function compareSchemas(pair: Pair, change: Change): string[] {
  const was = shapeOf(pair.before, change.before);
  const is = shapeOf(pair.after, change.after);
  const { where, side } = change;
  const lost =
    side === 'sent'
      ? [...was.types].filter((type) => !takes(is.types, type))
      : [...is.types].filter((type) => !takes(was.types, type));
  return [
    ...lost.map((type) =>
      side === 'sent' ? `${where} may no longer be ${type}` : `${where} may now be ${type}`,
    ),
    ...ofValues(was.values, is.values, change),
    ...(side === 'sent' ? ofBounds(was.main, is.main, where) : []),
    ...ofProperties(pair, { before: was.main, after: is.main, where, side }),
    ...ofItems(pair, { before: was.main, after: is.main, where, side }),
  ];
}

/** Without a type everything fits; an integer is a number. */
function takes(types: ReadonlySet<string>, type: string): boolean {
  return types.size === 0 || types.has(type) || (type === 'integer' && types.has('number'));
}

function ofValues(
  was: ReadonlySet<string> | undefined,
  is: ReadonlySet<string> | undefined,
  { where, side }: Change,
): string[] {
  if (!is) return [];
  if (!was) return side === 'sent' ? [`${where} takes only ${[...is].join(', ')}`] : [];
  return [...was].filter((value) => !is.has(value)).map((value) => `${where} has no value ${value} any more`);
}

const mostBounds = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
const leastBounds = ['minimum', 'minLength', 'minItems', 'minProperties'] as const;

function ofBounds(was: JsonSchema, is: JsonSchema, where: string): string[] {
  const tighter = [
    ...mostBounds.filter(
      (bound) => (is[bound] ?? Number.POSITIVE_INFINITY) < (was[bound] ?? Number.POSITIVE_INFINITY),
    ),
    ...leastBounds.filter(
      (bound) => (is[bound] ?? Number.NEGATIVE_INFINITY) > (was[bound] ?? Number.NEGATIVE_INFINITY),
    ),
  ];
  const isOther = is.pattern !== undefined && is.pattern !== was.pattern;
  return [
    ...tighter.map((bound) => `${where} has a tighter ${bound}, ${is[bound]}`),
    ...(isOther ? [`${where} has another pattern, ${is.pattern}`] : []),
  ];
}

function ofProperties(pair: Pair, { before, after, where, side }: Change): string[] {
  const now = propertiesOf(after);
  const changes = [...propertiesOf(before)].flatMap(([field, old]) => {
    const place = `${where}.${field}`;
    const kept = now.get(field);
    if (kept) return compareSchemas(pair, { before: old, after: kept, where: place, side });
    return side === 'answered' || after.additionalProperties === false ? [`${place} removed`] : [];
  });
  return [...changes, ...ofRequired({ before, after, where, side })];
}

function ofRequired({ before, after, where, side }: Change): string[] {
  const [was, is] = [before.required ?? [], after.required ?? []];
  if (side === 'sent') {
    return is.filter((field) => !was.includes(field)).map((field) => `${where}.${field} is now required`);
  }
  const left = propertiesOf(after);
  return was
    .filter((field) => !is.includes(field) && left.has(field))
    .map((field) => `${where}.${field} may now be absent`);
}

function propertiesOf({ properties = {} }: JsonSchema): Map<string, JsonSchema> {
  return new Map(
    Object.entries(properties).flatMap(([field, property]) =>
      typeof property === 'boolean' ? [] : [[field, property] as const],
    ),
  );
}

function ofItems(pair: Pair, { before, after, where, side }: Change): string[] {
  const [was, is] = [before.items, after.items];
  if (typeof was !== 'object' || typeof is !== 'object' || Array.isArray(was) || Array.isArray(is)) return [];
  return compareSchemas(pair, { before: was, after: is, where: `${where}[]`, side });
}
