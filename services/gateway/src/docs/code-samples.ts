import { type OpenApiDocument, type OperationName, recordedExamples } from '@casewatch/contracts';
import { type Listed, resolved } from './document.ts';

type Sent = {
  readonly method: string;
  readonly url: string;
  /** Header name → name of the environment variable with its value. */
  readonly credentials: readonly (readonly [header: string, variable: string])[];
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, unknown>>;
  readonly hasAnswer: boolean;
};

export const languages = { curl: 'curl', node: 'Node.js', python: 'Python' } as const;

export type Language = keyof typeof languages;

export function codeSamples(document: OpenApiDocument, listed: Listed): Record<Language, string> {
  const sent = requestOf(document, listed);
  return { curl: curl(sent), node: node(sent), python: python(sent) };
}

function requestOf(document: OpenApiDocument, listed: Listed): Sent {
  const { method, operation } = listed;
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const isForm = type === 'application/x-www-form-urlencoded';
  return {
    method: method.toUpperCase(),
    url: addressOf(document, listed),
    credentials: credentialsOf(operation.security[0] ?? {}),
    ...(content && !isForm ? { json: content.example ?? {} } : {}),
    ...(content && isForm ? { form: Object(content.example) as Record<string, unknown> } : {}),
    hasAnswer: !('204' in operation.responses),
  };
}

/** The recorded address; without a recording, the path and required query with their examples. */
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

function credentialsOf(alternative: Record<string, string[]>): Sent['credentials'] {
  if ('bearer' in alternative) return [['Authorization', 'CASEWATCH_TOKEN']];
  if (!('partner_key' in alternative)) return [];
  return [
    ['X-API-KEY', 'CASEWATCH_KEY'],
    ['X-API-SECRET', 'CASEWATCH_SECRET'],
  ];
}

function curl({ method, url, credentials, json, form = {} }: Sent): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shellQuoted(url)}`,
    ...credentials.map(([name, variable]) => `-H "${name}: ${bearer(name)}$${variable}"`),
    ...(json === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${shellQuoted(JSON.stringify(json, null, 2))}`]),
    ...Object.entries(form).map(([name, value]) => `--data-urlencode ${shellQuoted(`${name}=${value}`)}`),
  ].join(' \\\n  ');
}

function node({ method, url, credentials, json, form, hasAnswer }: Sent): string {
  const headers = credentials.map(([name, variable]) =>
    name === 'Authorization'
      ? `${name}: \`Bearer \${process.env.${variable}}\``
      : `'${name}': process.env.${variable}`,
  );
  if (json !== undefined) headers.push(`'Content-Type': 'application/json'`);
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`headers: {\n${indented(`${headers.join(',\n')},`)}\n},`]),
    ...(json === undefined ? [] : [`body: JSON.stringify(${JSON.stringify(json, null, 2)}),`]),
    ...(form ? [`body: new URLSearchParams(${JSON.stringify(form, null, 2)}),`] : []),
  ];
  const call = options.length === 0 ? '' : `, {\n${indented(options.join('\n'))}\n}`;
  return `const response = await fetch('${url}'${call});\nconsole.log(${hasAnswer ? 'await response.json()' : 'response.status'});`;
}

function python({ method, url, credentials, json, form, hasAnswer }: Sent): string {
  const headers = credentials.map(([name, variable]) =>
    name === 'Authorization'
      ? `"${name}": f"Bearer {os.environ['${variable}']}",`
      : `"${name}": os.environ["${variable}"],`,
  );
  const named = [
    `"${url}",`,
    ...(headers.length === 0 ? [] : [`headers={\n${indented(headers.join('\n'), 4)}\n},`]),
    ...(json === undefined ? [] : [`json=${pythonLiteral(json)},`]),
    ...(form ? [`data=${pythonLiteral(form)},`] : []),
  ];
  const imports = headers.length === 0 ? 'import requests' : 'import os\n\nimport requests';
  return `${imports}\n\nresponse = requests.${method.toLowerCase()}(\n${indented(named.join('\n'), 4)}\n)\nprint(response.${hasAnswer ? 'json()' : 'status_code'})`;
}

/** JSON is Python, except for three words. Strings match first, so that words inside them stay. */
function pythonLiteral(value: unknown): string {
  const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' };
  return JSON.stringify(value, null, 4).replaceAll(
    /"(?:\\.|[^"\\])*"|true|false|null/g,
    (token) => words[token] ?? token,
  );
}

function indented(text: string, spaces = 2): string {
  return text.replaceAll(/^/gm, ' '.repeat(spaces));
}

function bearer(header: string): string {
  return header === 'Authorization' ? 'Bearer ' : '';
}

/** In single quotes, for a POSIX shell. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
