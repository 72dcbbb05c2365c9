import { type OpenApiDocument, type OperationName, recordedExamples } from '@casewatch/contracts';
import { type Listed, resolved } from './document.ts';

/** A request to copy into a shell; credentials come from its environment. */
export function curlExample(document: OpenApiDocument, listed: Listed): string {
  const { method, operation } = listed;
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const parts = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${quoted(addressOf(document, listed))}`,
    ...credentials(operation.security[0] ?? {}),
    ...(type === 'application/json' && content
      ? [`-H 'Content-Type: ${type}'`, `-d ${quoted(JSON.stringify(content.example))}`]
      : []),
    ...(type === 'application/x-www-form-urlencoded' ? formFields(content?.example) : []),
  ];
  return parts.join(' \\\n  ');
}

/** The address that was asked when the example was recorded; else one with its path's and required query's examples. */
function addressOf(document: OpenApiDocument, { path, operation }: Listed): string {
  const origin = document.servers[0]?.url ?? '';
  const { answers } = recordedExamples().operations[operation.operationId as OperationName] ?? {};
  const recorded = answers?.[0]?.request.path;
  if (recorded !== undefined) return origin + recorded;
  let filled = path;
  const query = new URLSearchParams();
  for (const parameter of operation.parameters) {
    const { name, in: place, required, example } = resolved(document, parameter);
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)));
    if (place === 'query' && required) query.set(name, String(example));
  }
  return `${origin}${filled}${query.size > 0 ? `?${query}` : ''}`;
}

function credentials(alternative: Record<string, string[]>): string[] {
  if ('bearer' in alternative) return ['-H "Authorization: Bearer $CASEWATCH_TOKEN"'];
  if (!('partner_key' in alternative)) return [];
  return ['-H "X-API-KEY: $CASEWATCH_KEY"', '-H "X-API-SECRET: $CASEWATCH_SECRET"'];
}

function formFields(example: unknown): string[] {
  const fields = typeof example === 'object' && example !== null ? Object.entries(example) : [];
  return fields.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
}

/** In single quotes, for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
