import type { Operation, OperationName } from '@casewatch/contracts';
import type { Express, Request, Response } from 'express';
import { ApiError } from '../errors.ts';

export type Route = Operation & { name: OperationName };

/** Serves one operation. @throws ApiError the answer */
export type OperationHandler = (req: Request, res: Response) => Promise<void>;

/**
 * Serves rows of the operation table, in their order. A known path without the method answers 405 before a path with a
 * parameter can match; GET serves HEAD too.
 */
export function addOperations(
  app: Express,
  rows: readonly Route[],
  handlerOf: (row: Route) => OperationHandler,
): void {
  for (const path of new Set(rows.map((row) => row.path))) {
    const ofPath = rows.filter((row) => row.path === path);
    const route = app.route(path.replaceAll(/\{([^}]+)\}/g, ':$1'));
    for (const row of ofPath) route[row.method.toLowerCase() as Lowercase<Route['method']>](handlerOf(row));
    const allow = allowHeader(ofPath.map((row) => row.method));
    route.all(() => {
      throw new ApiError('method_not_allowed', { headers: { allow } });
    });
  }
}

export function allowHeader(methods: readonly string[]): string {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
