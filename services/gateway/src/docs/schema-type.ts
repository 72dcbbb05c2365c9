import type { JsonSchema } from '@casewatch/contracts';
import { escapeHtml } from '@casewatch/platform';

/** Longer patterns do not help a reader; the description explains them. */
const longestPattern = 30;

/** The type as HTML; components are links. */
export function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace('#/components/schemas/', '');
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return schema.enum.map(code).join(', ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  const types = [schema.type ?? 'any'].flat();
  if (types[0] === 'array') return `list of ${itemType(schema.items)}`;
  return escapeHtml(
    [types.join(' or '), schema.format === 'int64' ? '' : (schema.format ?? '')]
      .filter((word) => word !== '')
      .join(', '),
  );
}

/** Limits, pattern and default as HTML. */
export function boundsOf(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  const bounds = [
    range(limitOf(minimum), limitOf(maximum), ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' elements'),
    pattern !== undefined && pattern.length <= longestPattern ? code(pattern) : '',
    schema.default === undefined ? '' : `default ${code(schema.default)}`,
  ];
  return bounds.filter((part) => part !== '').join('; ');
}

/** The integer limits of JavaScript are not shown. */
function limitOf(bound: number | undefined): number | undefined {
  return bound !== undefined && Math.abs(bound) === Number.MAX_SAFE_INTEGER ? undefined : bound;
}

function itemType(items: JsonSchema['items']): string {
  return typeof items === 'object' && !Array.isArray(items) ? typeOf(items) : 'any';
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  if (max === undefined) return min === undefined ? '' : `at least ${min}${unit}`;
  return min === undefined ? `at most ${max}${unit}` : `${min} to ${max}${unit}`;
}

function code(value: unknown): string {
  return `<code>${escapeHtml(typeof value === 'string' && value !== '' ? value : JSON.stringify(value))}</code>`;
}
