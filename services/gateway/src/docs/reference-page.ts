import { errorCatalogue, type OpenApiDocument } from '@casewatch/contracts';
import { escapeHtml } from '@casewatch/platform';
import { languages } from './code-samples.ts';
import { type Listed, operationsOf, sharedSchemas } from './document.ts';
import { eventEntries, eventSections } from './event-section.ts';
import { schemaFields } from './field-list.ts';
import { guidePages, wordsOf } from './guide.ts';
import { idOf, inline, sections } from './html.ts';
import { layout } from './layout.ts';
import { operationSection } from './operation-section.ts';
import { typeOf } from './schema-type.ts';

/** The whole interface on one page. It is complete without script; script adds search, tabs and copy buttons. */
export function referencePage(document: OpenApiDocument): string {
  const main = `<h1>${escapeHtml(document.info.title)} API reference</h1>
<div class="intro">
<p class="soft">Base URL <code>${escapeHtml(document.servers[0]?.url ?? '')}</code> · version ${escapeHtml(document.info.version)} · OpenAPI <a href="/openapi.json">JSON</a>, <a href="/openapi.yaml">YAML</a> · events between services <a href="/asyncapi.json">AsyncAPI</a></p>
${sections(document.info.description)}
</div>
${groupsOf(document)
  .map((group) => groupSection(document, group))
  .join('\n')}
<h2 id="webhook-events">Webhook events</h2>
<p>Every body has the fields <code>id</code>, <code>type</code>, <code>timestamp</code> and <code>data</code>. The headers <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code> follow Standard Webhooks.</p>
${eventSections(document)}
<h2 id="objects">Objects</h2>
${objects(document).join('\n')}
<h2 id="error-codes">Error codes</h2>
${errors()}`;
  return layout({
    title: `${document.info.title} API reference`,
    description: 'Every operation of the Casewatch API, with examples in curl, Node.js and Python.',
    aside: contents(document),
    main,
    isReference: true,
  });
}

type Group = { name: string; description: string; operations: Listed[] };

function groupsOf(document: OpenApiDocument): Group[] {
  return document.tags.map((tag) => ({
    ...tag,
    operations: operationsOf(document).filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
}

function groupSection(document: OpenApiDocument, { name, description, operations }: Group): string {
  return `<h2 id="group-${idOf(name)}">${escapeHtml(name)}</h2>
<p>${inline(description)}</p>
${operations.map((listed) => operationSection(document, listed)).join('\n')}`;
}

function objects(document: OpenApiDocument): string[] {
  return sharedSchemas(document).map(([name, schema]) => {
    const description = schema.description === undefined ? '' : `<p>${inline(schema.description)}</p>`;
    const fields = schema.properties ? schemaFields(schema, false) : `<p>${typeOf(schema)}</p>`;
    return `<article id="schema-${name}"><div class="text">\n<h3>${name}</h3>\n${description}\n${fields}\n</div></article>`;
  });
}

function errors(): string {
  const rows = Object.entries(errorCatalogue).map(
    ([code, { status, message }]) =>
      `<tr><th scope="row"><a href="/problems/${code}"><code>${code}</code></a></th><td>${status}</td><td>${inline(message)}</td></tr>`,
  );
  return `<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table></div>`;
}

function contents(document: OpenApiDocument): string {
  const headings = [...document.info.description.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => ({
    id: idOf(heading),
    text: heading,
  }));
  const groups = groupsOf(document).map(({ name, operations }) =>
    contentsPart(
      name,
      operations.map(({ method, operation }) => ({
        id: operation.operationId,
        text: operation.summary,
        method,
      })),
    ),
  );
  const tabs = Object.entries(languages).map(
    ([key, name]) => `<button type="button" data-language="${key}">${name}</button>`,
  );
  return `<template id="tabs">${tabs.join('')}</template>
<nav class="toc" aria-label="Contents">
<label hidden>Search <input type="search" placeholder="Search   /" autocomplete="off"></label>
<details open>
<summary>Contents</summary>
${guidePart()}
${contentsPart('Basics', headings)}
${groups.join('\n')}
${contentsPart('Webhook events', eventEntries(document))}
${contentsPart('More', [
  { id: 'objects', text: 'Objects' },
  { id: 'error-codes', text: 'Error codes' },
])}
</details>
</nav>`;
}

/** Found by the search, too: `data-words` has what the pages say. */
function guidePart(): string {
  const items = guidePages().map(
    (page) =>
      `<li><a href="${page.path}" data-words="${escapeHtml(wordsOf(page))}">${escapeHtml(page.title)}</a></li>`,
  );
  return `<section><p>Guide</p>\n<ul>\n${items.join('\n')}\n</ul></section>`;
}

type Entry = { id: string; text: string; method?: string };

function contentsPart(heading: string, entries: readonly Entry[]): string {
  const items = entries.map(({ id, text, method }) => {
    const mark =
      method === undefined
        ? ''
        : ` <b class="${method}" aria-hidden="true">${method === 'delete' ? 'del' : method}</b>`;
    return `<li><a href="#${id}">${escapeHtml(text)}</a>${mark}</li>`;
  });
  return `<section><p>${escapeHtml(heading)}</p>\n<ul>\n${items.join('\n')}\n</ul></section>`;
}
