import type { OpenApiDocument, OperationObject } from '@casewatch/contracts';
import { escapeHtml } from '@casewatch/platform';
import { curlExample } from './curl-example.ts';
import { codesOf, type Listed, resolved } from './document.ts';
import { codeBlock, inline } from './html.ts';
import { fieldRow, fieldTable, schemaTable } from './schema-table.ts';

/** One operation: who may call it, what it takes, answers and fails with, and a request to copy. */
export function operationSection(document: OpenApiDocument, listed: Listed): string {
  const { method, path, operation } = listed;
  const verb = method.toUpperCase();
  return `<article id="${operation.operationId}">
<h3>${escapeHtml(operation.summary)}</h3>
<p><span class="method ${method}">${verb}</span> <code>${escapeHtml(path)}</code></p>
<p>${inline(operation.description)}</p>
${parameters(document, listed)}
${body(listed)}
${answer(document, listed)}
${errors(document, listed)}
<details>
<summary>Request with curl</summary>
${codeBlock(curlExample(document, listed), `Request of ${operation.summary} with curl`)}
</details>
</article>`;
}

function parameters(document: OpenApiDocument, { operation }: Listed): string {
  const rows = operation.parameters
    .map((parameter) => resolved(document, parameter))
    .map(({ name, required, description, schema, in: place }) =>
      fieldRow({
        name,
        mark: required ? 'required' : '',
        description: `${description ?? ''} (${place})`,
        schema,
      }),
    );
  if (rows.length === 0) return '';
  return `<h4>Parameters</h4>\n${fieldTable(rows, `Parameters of ${operation.summary}`)}`;
}

function body({ operation }: Listed): string {
  const content = Object.entries(operation.requestBody?.content ?? {});
  const schema = content[0]?.[1].schema;
  if (!schema) return '';
  const types = content.map(([type]) => `<code>${type}</code>`).join(' or ');
  return `<h4>Body</h4>\n<p class="soft">${types}</p>\n${schemaTable(schema, { label: `Body of ${operation.summary}`, isSent: true })}`;
}

function answer(document: OpenApiDocument, { operation }: Listed): string {
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  return successes
    .map(([status, response]) => {
      const { description, content } = resolved(document, response);
      const { schema, example } = content?.['application/json'] ?? {};
      const heading = `<h4>Answer ${status}</h4>\n<p>${inline(description)}</p>`;
      if (!schema) return heading;
      const label = `Example answer of ${operation.summary}`;
      return `${heading}
${schemaTable(schema, { label: `Answer of ${operation.summary}`, isSent: false })}
<details>
<summary>Example answer</summary>
${codeBlock(JSON.stringify(example, null, 2), label)}
</details>`;
    })
    .join('\n');
}

function errors(document: OpenApiDocument, { operation }: Listed): string {
  const rows = Object.entries(operation.responses).flatMap(([status, response]) => {
    const codes = codesOf(document, response).map(
      (code) => `<a href="/problems/${code}"><code>${code}</code></a>`,
    );
    return codes.length === 0 ? [] : [`<tr><th scope="row">${status}</th><td>${codes.join(', ')}</td></tr>`];
  });
  return `<details>
<summary>Errors</summary>
<div class="scroll"><table><tbody>
${rows.join('\n')}
</tbody></table></div>
${ownErrors(document, operation).join('\n')}
</details>`;
}

/** What the operation's own errors look like; the others have a page each. */
function ownErrors(document: OpenApiDocument, operation: OperationObject): string[] {
  return Object.values(operation.responses).flatMap((response) => {
    const { examples = {} } = resolved(document, response).content?.['application/json'] ?? {};
    return Object.entries(examples).flatMap(([code, example]) =>
      'value' in example
        ? [codeBlock(JSON.stringify(example.value, null, 2), `${code} of ${operation.summary}`)]
        : [],
    );
  });
}
