import type { MediaType, OpenApiDocument, ResponseObject } from '@casewatch/contracts';
import { escapeHtml } from '@casewatch/platform';
import { codeSamples, type Language, languages } from './code-samples.ts';
import { codesOf, type Listed, resolved } from './document.ts';
import { fieldList, schemaFields } from './field-list.ts';
import { codeBlock, inline } from './html.ts';

/** One operation: its text on the left; on the right its request in each language, and its response. */
export function operationSection(document: OpenApiDocument, listed: Listed): string {
  const { operation } = listed;
  const successes = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, response]) => ({ status, response: resolved(document, response) }));
  return `<article id="${operation.operationId}">
<div class="text">
<h3><a href="#${operation.operationId}">${escapeHtml(operation.summary)}</a></h3>
<p>${inline(operation.description)}</p>
${parameters(document, listed)}
${body(document, listed)}
${successes.map((success) => responseFields(document, success)).join('\n')}
${errors(document, listed)}
</div>
<div class="code">
${request(document, listed)}
${successes.map((success) => responseExample(success, operation.summary)).join('\n')}
</div>
</article>`;
}

function parameters(document: OpenApiDocument, { operation }: Listed): string {
  const fields = operation.parameters
    .map((parameter) => resolved(document, parameter))
    .map(({ name, required, description = '', schema, in: place }) => ({
      name,
      mark: required ? 'required' : '',
      description: place === 'header' ? `Header. ${description}` : description,
      schema,
    }));
  return fields.length === 0 ? '' : `<h4>Parameters</h4>\n${fieldList(fields)}`;
}

function body(document: OpenApiDocument, { operation }: Listed): string {
  const content = Object.entries(operation.requestBody?.content ?? {});
  const body = content[0]?.[1].schema;
  if (!body) return '';
  const types = content.map(([type]) => `<code>${type}</code>`).join(' or ');
  const schema = resolved(document, body);
  const alternatives = (schema.anyOf ?? [schema]).map((option) =>
    schemaFields(resolved(document, option), true),
  );
  return `<h4>Body <span class="soft">${types}</span></h4>\n${alternatives.join('\n<p>or</p>\n')}`;
}

type Success = { status: string; response: ResponseObject };

const jsonOf = ({ content }: ResponseObject): MediaType | undefined => content?.['application/json'];

function responseFields(document: OpenApiDocument, { status, response }: Success): string {
  const schema = jsonOf(response)?.schema;
  const content = schema
    ? schemaFields(resolved(document, schema), false)
    : `<p>${inline(response.description)}</p>`;
  return `<h4>Response ${status}</h4>\n${content}`;
}

function responseExample({ status, response }: Success, summary: string): string {
  const example = jsonOf(response)?.example;
  if (example === undefined) return '';
  const text = codeBlock(JSON.stringify(example, null, 2), `Response ${status} of ${summary}`);
  return `<figure><figcaption>Response ${status}</figcaption>\n${text}</figure>`;
}

function request(document: OpenApiDocument, listed: Listed): string {
  const { method, path, operation } = listed;
  const address = `<figcaption><b class="${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code></figcaption>`;
  const samples = Object.entries(codeSamples(document, listed)).map(([key, text]) => {
    const language = languages[key as Language];
    return `<div data-sample="${key}"><p>${language}</p>${codeBlock(text, `${operation.summary} with ${language}`)}</div>`;
  });
  return `<figure class="request">${address}\n${samples.join('\n')}</figure>`;
}

function errors(document: OpenApiDocument, { operation }: Listed): string {
  const rows = Object.entries(operation.responses).flatMap(([status, response]) => {
    const links = codesOf(document, response).map(
      (code) => `<a href="/problems/${code}"><code>${code}</code></a>`,
    );
    return links.length === 0 ? [] : [`<tr><th scope="row">${status}</th><td>${links.join(', ')}</td></tr>`];
  });
  const examples = Object.values(operation.responses).flatMap((response) =>
    Object.entries(jsonOf(resolved(document, response))?.examples ?? {}).flatMap(([code, example]) =>
      'value' in example
        ? [codeBlock(JSON.stringify(example.value, null, 2), `${code} of ${operation.summary}`)]
        : [],
    ),
  );
  return `<details class="errors"><summary>Errors</summary>
<table><tbody>
${rows.join('\n')}
</tbody></table>
${examples.join('\n')}
</details>`;
}
