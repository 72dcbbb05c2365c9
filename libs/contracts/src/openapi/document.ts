import type { Method } from '../operation.ts';
import { routesInOrder } from '../operations.ts';
import { moveBodies } from './body-components.ts';
import { groupOf, groups } from './groups.ts';
import { headers } from './headers.ts';
import { info } from './info.ts';
import { operationObject } from './operation-object.ts';
import { sharedParameters } from './parameters.ts';
import { problemExamples } from './problem-examples.ts';
import { componentSchemas, referredFirst } from './schema-of.ts';
import { securitySchemes } from './security.ts';
import { sharedResponses } from './shared-responses.ts';
import type { OpenApiDocument, PathItem } from './types.ts';
import { webhookObjects } from './webhooks.ts';

const methodOrder: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE'];

/**
 * The operation table is the only source, so the document matches what the services accept.
 * @param publicUrl without a trailing slash
 */
export function openApiDocument({ publicUrl }: { publicUrl: string }): OpenApiDocument {
  const paths = pathItems();
  const bodies = moveBodies(paths);
  const webhooks = webhookObjects();
  const responses = sharedResponses();
  return {
    openapi: '3.1.1',
    info: info(publicUrl),
    servers: [{ url: publicUrl, description: environmentOf(publicUrl), 'x-internal': false }],
    tags: groups
      .filter(({ name }) => Object.keys(paths).some((path) => groupOf(path) === name))
      .map(({ name, description }) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes,
      parameters: sharedParameters,
      headers,
      responses,
      examples: problemExamples(JSON.stringify([paths, responses])),
      schemas: referredFirst({ ...componentSchemas([bodies, webhooks, responses, paths]), ...bodies }),
    },
  };
}

function pathItems(): Record<string, PathItem> {
  const rows = routesInOrder();
  const paths: Record<string, PathItem> = {};
  for (const path of new Set(rows.map((row) => row.path))) {
    const item: PathItem = {};
    for (const method of methodOrder) {
      const row = rows.find((candidate) => candidate.path === path && candidate.method === method);
      if (row) item[method.toLowerCase() as Lowercase<Method>] = operationObject(row);
    }
    paths[path] = item;
  }
  return paths;
}

function environmentOf(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return hostname === 'localhost' || hostname === '127.0.0.1' ? 'Local development' : 'Production';
}
