import type { Operation, OperationName } from '@casewatch/contracts';
import type { Express, RequestHandler } from 'express';
import { ApiError } from '../errors.ts';

export type Route = Operation & { name: OperationName };

/** Mounts rows in the table's order. A known path without the method answers 405 before a later path can match. */
export function mountRoutes(
  app: Express,
  rows: readonly Route[],
  handlersOf: (row: Route) => RequestHandler[],
): void {
  for (const path of new Set(rows.map((row) => row.path))) {
    const ofPath = rows.filter((row) => row.path === path);
    for (const row of ofPath) {
      const method = row.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
      app[method](expressPath(path), ...handlersOf(row));
    }
    app.all(expressPath(path), () => {
      throw new ApiError('method_not_allowed', {
        headers: { allow: allowHeader(ofPath.map((row) => row.method)) },
      });
    });
  }
}

export function allowHeader(methods: readonly string[]): string {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

function expressPath(path: string): string {
  return path.replaceAll(/\{([a-z_]+)\}/g, ':$1');
}
