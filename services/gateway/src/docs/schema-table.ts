import type { JsonSchema } from '@casewatch/contracts';
import { escapeHtml } from '@casewatch/platform';
import { inline } from './html.ts';
import { boundsOf, typeOf } from './schema-type.ts';

type Field = { name: string; mark: string; description: string; schema: JsonSchema };

type Use = {
  /** What the table is, for those who do not see where it stands. */
  label: string;
  /** Whether a caller sends it: then what must be there is marked, else what may be missing. */
  isSent: boolean;
};

/** An object's fields; those of an object within it follow below it, as `outer.inner`. */
export function schemaTable(schema: JsonSchema, { label, isSent }: Use): string {
  const rows = fieldsOf(schema, '', isSent).map(fieldRow);
  if (rows.length === 0) return '<p class="soft">Any fields, or none.</p>';
  return fieldTable(rows, label);
}

export function fieldTable(rows: readonly string[], label: string): string {
  return `<div class="scroll"><table aria-label="${escapeHtml(label)}">
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table></div>`;
}

export function fieldRow({ name, mark, description, schema }: Field): string {
  const marked = mark === '' ? '' : ` <span class="mark">${mark}</span>`;
  const bounds = boundsOf(schema);
  const limits = bounds === '' ? '' : `<br><span class="soft">${bounds}</span>`;
  return `<tr><th scope="row"><code>${escapeHtml(name)}</code>${marked}</th><td>${typeOf(schema)}</td><td>${inline(description)}${limits}</td></tr>`;
}

function fieldsOf(schema: JsonSchema, prefix: string, isSent: boolean): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([field, property]) => {
    if (typeof property === 'boolean') return [];
    const name = `${prefix}${field}`;
    const isRequired = schema.required?.includes(field) ?? false;
    const mark = isSent === isRequired ? (isSent ? 'required' : 'may be absent') : '';
    const { items } = property;
    const isList = typeof items === 'object' && !Array.isArray(items);
    const inner = fieldsOf(isList ? items : property, isList ? `${name}[].` : `${name}.`, isSent);
    return [{ name, mark, description: property.description ?? '', schema: property }, ...inner];
  });
}
