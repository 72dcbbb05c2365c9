import { pascalCase } from './named-schemas.ts';
import type { JsonSchema, MediaType, PathItem } from './types.ts';

type Bodies = Record<string, JsonSchema>;

/**
 * Moves the JSON bodies of requests and successes into components: code generators name their types after these.
 * The body of `create_case` becomes `CreateCaseRequest`, its answer `CreateCaseResult`.
 */
export function moveBodies(paths: Record<string, PathItem>): Bodies {
  const bodies: Bodies = {};
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    const name = pascalCase(operation.operationId);
    moveBody(operation.requestBody?.content, `${name}Request`, bodies);
    const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
    for (const [index, [status, response]] of successes.entries()) {
      if ('content' in response)
        moveBody(response.content, index === 0 ? `${name}Result` : `${name}Result${status}`, bodies);
    }
  }
  return bodies;
}

function moveBody(content: Record<string, MediaType> | undefined, name: string, bodies: Bodies): void {
  for (const [type, media] of Object.entries(content ?? {})) {
    // A page and a file are texts, with no type of their own.
    if (type === 'text/html' || type === 'text/csv') continue;
    bodies[name] = media.schema;
    media.schema = { $ref: `#/components/schemas/${name}` };
  }
}
