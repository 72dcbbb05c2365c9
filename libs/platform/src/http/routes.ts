import type { Operation, OperationName } from '@casewatch/contracts';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { ApiError } from '../errors.ts';
import { createPathTree } from './path-tree.ts';

export type Route = Operation & { name: OperationName };

type PathRoutes = { readonly byMethod: Map<string, RequestHandler[]>; readonly allow: string };

/**
 * Mounts the operations as one layer, which finds the path without trying all others. A known path without the method
 * answers 405 before a path with a parameter can match.
 */
export function mountRoutes(
  app: Express,
  rows: readonly Route[],
  handlersOf: (row: Route) => RequestHandler[],
): void {
  const tree = createPathTree<PathRoutes>();
  for (const path of new Set(rows.map((row) => row.path))) {
    const ofPath = rows.filter((row) => row.path === path);
    const byMethod = new Map(ofPath.map((row) => [row.method as string, handlersOf(row)]));
    tree.add(path, { byMethod, allow: allowHeader(ofPath.map((row) => row.method)) });
  }
  app.use((req, res, next) => {
    const match = tree.find(req.path);
    if (match === null) {
      next();
      return;
    }
    const { byMethod, allow } = match.value;
    const handlers = byMethod.get(req.method) ?? (req.method === 'HEAD' ? byMethod.get('GET') : undefined);
    if (handlers === undefined) throw new ApiError('method_not_allowed', { headers: { allow } });
    req.params = match.params;
    runInTurn(handlers, { req, res, next });
  });
}

export function allowHeader(methods: readonly string[]): string {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

type Turn = { req: Request; res: Response; next: NextFunction };

/** As Express runs the handlers of a route. */
function runInTurn([handler, ...rest]: RequestHandler[], { req, res, next }: Turn): void {
  if (handler === undefined) {
    next();
    return;
  }
  const onEnd = (error?: unknown) => {
    if (error) next(error);
    else runInTurn(rest, { req, res, next });
  };
  try {
    const result: unknown = handler(req, res, onEnd);
    if (result instanceof Promise) result.catch(next);
  } catch (error) {
    next(error);
  }
}
