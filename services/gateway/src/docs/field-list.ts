import type { JsonSchema } from '@casewatch/contracts';
import { escapeHtml } from '@casewatch/platform';
import { inline } from './html.ts';
import { boundsOf, typeOf } from './schema-type.ts';

type Field = { name: string; mark: string; description: string; schema: JsonSchema; inner?: string };

/** An object's fields, with those of an object within it inside its own. `isSent`: callers send the object. */
export function schemaFields(schema: JsonSchema, isSent: boolean): string {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    typeof property === 'boolean' ? [] : [fieldOf(name, property, { schema, isSent })],
  );
  return fields.length === 0 ? '<p class="soft">Any fields, or none.</p>' : fieldList(fields);
}

export function fieldList(fields: readonly Field[]): string {
  return `<ul class="fields">\n${fields.map(item).join('\n')}\n</ul>`;
}

function item({ name, mark, description, schema, inner = '' }: Field): string {
  const marked = mark === '' ? '' : ` <span class="mark">${mark}</span>`;
  const bounds = boundsOf(schema);
  const limits = bounds === '' ? '' : ` <span class="soft">${bounds}</span>`;
  const text = description === '' ? '' : `<p>${inline(description)}</p>`;
  return `<li><code>${escapeHtml(name)}</code> <span class="type">${typeOf(schema)}</span>${marked}${limits}${text}${inner}</li>`;
}

function fieldOf(
  name: string,
  property: JsonSchema,
  { schema, isSent }: { schema: JsonSchema; isSent: boolean },
): Field {
  const isRequired = schema.required?.includes(name) ?? false;
  const mark = isSent === isRequired ? (isSent ? 'required' : 'can be absent') : '';
  const { items } = property;
  const object = typeof items === 'object' && !Array.isArray(items) ? items : property;
  const inner = object.properties
    ? `<details><summary>Fields of <code>${escapeHtml(name)}</code></summary>${schemaFields(object, isSent)}</details>`
    : '';
  return { name, mark, description: property.description ?? '', schema: property, inner };
}
