import { readFileSync } from 'node:fs';
import { type OperationName, routesInOrder } from '@casewatch/contracts';
import { readsPath } from '@casewatch/platform';
import type { Seen, startTestGateway } from './start-gateway.ts';

type Example = { readonly answers: readonly { readonly body: Record<string, unknown> }[] };
const recorded = new URL('../../../../libs/contracts/src/openapi/recorded-examples.json', import.meta.url);
const examples: Record<string, Example> = JSON.parse(readFileSync(recorded, 'utf8')).operations;

/** What an operation answered when its example was recorded. */
export const exampleOf = (name: string) => examples[name]?.answers[0]?.body ?? {};

/** The operations that a request of the gateway asks for. */
export function asked({ method, url, body }: Seen): OperationName[] {
  const path = url.split('?')[0] ?? '';
  if (path === readsPath)
    return JSON.parse(body).reads.map(({ operation }: { operation: OperationName }) => operation);
  const isOf = (row: { path: string }) =>
    new RegExp(`^${row.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path);
  return routesInOrder()
    .filter((row) => row.method === method && isOf(row))
    .slice(0, 1)
    .map(({ name }) => name);
}

type Answer = { readonly status: number; readonly body: string };

/** Lets the services behind the gateway answer each operation so, alone or in one request of several. */
export function answerAll(
  gateway: Awaited<ReturnType<typeof startTestGateway>>,
  answerOf: (name: OperationName) => Answer,
): void {
  gateway.answer.bodyOf = (request) => {
    const answers = asked(request).map(answerOf);
    const [first = answerOf('get_profile')] = answers;
    return request.url === readsPath ? { body: JSON.stringify({ answers }) } : first;
  };
}
