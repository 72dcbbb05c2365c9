import type { JsonSchema } from '@casewatch/contracts';

type Change = {
  readonly before: JsonSchema;
  readonly after: JsonSchema;
  readonly where: string;
  /** A client sends the value, or gets it as an answer. */
  readonly side: 'sent' | 'answered';
};

const upperBounds = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
const lowerBounds = ['minimum', 'minLength', 'minItems', 'minProperties'] as const;

/** The values that a schema without references no longer takes (`sent`) or may newly have (`answered`). */
export function compareSchemas({ before, after, where, side }: Change): string[] {
  const old = shapeOf(before);
  const current = shapeOf(after);
  const inner = { before: old.main, after: current.main, where, side };
  if (side === 'answered')
    return [
      ...excess(current.types, old.types).map((type) => `${where} may now be ${type}`),
      ...lostValues(old.values, current.values, where),
      ...compareFields(inner),
    ];
  const isNewlyLimited = current.values && !old.values;
  return [
    ...excess(old.types, current.types).map((type) => `${where} may no longer be ${type}`),
    ...(isNewlyLimited ? [`${where} takes only ${[...(current.values ?? [])].join(', ')}`] : []),
    ...lostValues(old.values, current.values, where),
    ...compareBounds(inner),
    ...compareFields(inner),
  ];
}

/** `main` is the only alternative that is not null. */
type Shape = { types: string[]; values: Set<string> | undefined; main: JsonSchema };

/** Merges alternatives: a union of enumerations is an enumeration, and null is a type. */
function shapeOf(schema: JsonSchema): Shape {
  const options = alternativesOf(schema);
  const valued = options.filter(({ type }) => type !== 'null');
  const isEnumeration = valued.every((option) => option.const !== undefined || option.enum);
  const values = valued.flatMap((option) => option.enum ?? [option.const]);
  return {
    types: [...new Set(options.flatMap(({ type }) => type ?? []))],
    values: isEnumeration ? new Set(values.map((value) => JSON.stringify(value))) : undefined,
    main: valued.length === 1 ? (valued[0] ?? {}) : {},
  };
}

function alternativesOf(schema: JsonSchema): JsonSchema[] {
  return schema.anyOf ? schema.anyOf.flatMap(alternativesOf) : [schema];
}

/** The types that `allowed` does not include. No type allows every type, and every integer is a number. */
function excess(types: string[], allowed: string[]): string[] {
  const includes = (type: string) =>
    allowed.includes(type) || (type === 'integer' && allowed.includes('number'));
  return allowed.length === 0 ? [] : types.filter((type) => !includes(type));
}

function lostValues(before: Shape['values'], after: Shape['values'], where: string): string[] {
  if (!before || !after) return [];
  return [...before]
    .filter((value) => !after.has(value))
    .map((value) => `${where} has no value ${value} any more`);
}

function compareBounds({ before, after, where }: Change): string[] {
  const tighter = [
    ...upperBounds.filter((bound) => (after[bound] ?? Infinity) < (before[bound] ?? Infinity)),
    ...lowerBounds.filter((bound) => (after[bound] ?? -Infinity) > (before[bound] ?? -Infinity)),
  ];
  const hasNewPattern = after.pattern !== undefined && after.pattern !== before.pattern;
  return [
    ...tighter.map((bound) => `${where} has a tighter ${bound}, ${after[bound]}`),
    ...(hasNewPattern ? [`${where} has another pattern, ${after.pattern}`] : []),
  ];
}

function compareFields({ before, after, where, side }: Change): string[] {
  const current = fieldsOf(after);
  const changes = [...fieldsOf(before)].flatMap(([name, field]) => {
    const successor = current.get(name);
    if (successor) return compareSchemas({ before: field, after: successor, where: where + name, side });
    const isRefused = side === 'answered' || after.additionalProperties === false;
    return isRefused ? [`${where}${name} removed`] : [];
  });
  const [old = [], required = []] = [before.required, after.required];
  const isKept = (name: string) => current.has(`.${name}`);
  const newlyRequired = required.filter((name) => !old.includes(name));
  const newlyOptional = old.filter((name) => !required.includes(name) && isKept(name));
  return [
    ...changes,
    ...(side === 'sent'
      ? newlyRequired.map((name) => `${where}.${name} is now required`)
      : newlyOptional.map((name) => `${where}.${name} may now be absent`)),
  ];
}

/** Each field as `.name`, and the items of a list as `[]`. */
function fieldsOf({ properties = {}, items }: JsonSchema): Map<string, JsonSchema> {
  const fields = Object.entries(properties).map(([name, property]) => [`.${name}`, property] as const);
  return new Map(
    [...fields, ['[]', items] as const].flatMap(([name, schema]) =>
      typeof schema === 'object' && !Array.isArray(schema) ? [[name, schema] as const] : [],
    ),
  );
}
