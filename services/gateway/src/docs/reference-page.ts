import { errorCatalogue, type OpenApiDocument } from '@casewatch/contracts';
import { escapeHtml } from '@casewatch/platform';
import { operationsOf } from './document.ts';
import { inline, paragraphs } from './html.ts';
import { layout } from './layout.ts';
import { operationSection } from './operation-section.ts';
import { schemaTable } from './schema-table.ts';
import { typeOf } from './schema-type.ts';
import { tableOfContents } from './table-of-contents.ts';

/** The whole interface on one page: no script, no other host, good for reading, searching and printing. */
export function referencePage(document: OpenApiDocument): string {
  const main = [
    `<h1>${escapeHtml(document.info.title)} reference</h1>`,
    `<p class="soft">OpenAPI document ${escapeHtml(document.info.version)}, of <code>${escapeHtml(document.servers[0]?.url ?? '')}</code></p>`,
    paragraphs(document.info.description),
    ...groups(document),
    '<h2 id="objects">Objects</h2>',
    ...objects(document),
    '<h2 id="errors">Error codes</h2>',
    errors(),
  ].join('\n');
  return layout({
    title: `${document.info.title} reference`,
    description: 'Every operation of the Casewatch HTTP interface.',
    aside: tableOfContents(document),
    main,
  });
}

function groups(document: OpenApiDocument): string[] {
  return document.tags.flatMap(({ name, description }) => {
    const listed = operationsOf(document).filter(({ operation }) => operation.tags.includes(name));
    if (listed.length === 0) return [];
    const heading = `<h2 id="${idOf(name)}">${escapeHtml(name)}</h2>\n<p>${inline(description)}</p>`;
    return [heading, ...listed.map((one) => operationSection(document, one))];
  });
}

function objects({ components }: OpenApiDocument): string[] {
  return Object.entries(components.schemas).map(([name, schema]) => {
    const description = schema.description === undefined ? '' : `<p>${inline(schema.description)}</p>`;
    const content = schema.properties
      ? schemaTable(schema, { label: `Fields of ${name}`, isSent: false })
      : `<p>${typeOf(schema)}</p>`;
    return `<article id="schema-${name}">\n<h3>${name}</h3>\n${description}\n${content}\n</article>`;
  });
}

function errors(): string {
  const rows = Object.entries(errorCatalogue).map(
    ([code, { status, message }]) =>
      `<tr><th scope="row"><a href="/problems/${code}"><code>${code}</code></a></th><td>${status}</td><td>${inline(message)}</td></tr>`,
  );
  return `<div class="scroll"><table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table></div>`;
}

function idOf(name: string): string {
  return `group-${name.toLowerCase().replaceAll(' ', '-')}`;
}
