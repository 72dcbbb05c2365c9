import {
  type ErrorCode,
  errorCatalogue,
  isRetryable,
  type OpenApiDocument,
  problemExample,
  titleOf,
} from '@casewatch/contracts';
import { escapeHtml } from '@casewatch/platform';
import { codesOf, type Listed, operationsOf } from './document.ts';
import { codeBlock, inline } from './html.ts';
import { layout } from './layout.ts';

export function problemPage(document: OpenApiDocument, code: ErrorCode): string {
  const { status, message } = errorCatalogue[code];
  const example = codeBlock(JSON.stringify(problemExample(code), null, 2), `Example of ${code}`);
  const answeredBy = operationsOf(document).filter((listed) => answers(document, listed, code));
  const main = `<h1><code>${code}</code></h1>
<p>${inline(message)}</p>
<table>
<tbody>
<tr><th scope="row">Status</th><td>${status} ${titleOf(status)}</td></tr>
<tr><th scope="row">Trying again</th><td>${whetherToRetry(code)}</td></tr>
</tbody>
</table>
<h2>Example</h2>
${example}
${list(answeredBy, code)}`;
  return layout({ title: `${code} – Casewatch`, description: message, main });
}

function answers(document: OpenApiDocument, { operation }: Listed, code: ErrorCode): boolean {
  return Object.values(operation.responses).some((response) => codesOf(document, response).includes(code));
}

function whetherToRetry(code: ErrorCode): string {
  if (!isRetryable(code)) return 'Sending the same request again will fail; change it first.';
  return 'The same request may succeed later, without a change: wait for <code>Retry-After</code> seconds.';
}

function list(operations: readonly Listed[], code: ErrorCode): string {
  if (operations.length === 0) return '';
  const items = operations.map(
    ({ operation }) =>
      `<li><a href="/docs#${operation.operationId}">${escapeHtml(operation.summary)}</a></li>`,
  );
  return `<h2>Operations that answer <code>${code}</code></h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}
