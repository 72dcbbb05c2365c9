import type { Operation, OperationName } from '@casewatch/contracts';
import type { Request } from 'express';
import { ApiError } from '../errors.ts';
import { createPathTree } from './path-tree.ts';

export type Route = Operation & { name: OperationName };

type PathRoutes<H> = { readonly byMethod: Map<string, H>; readonly allow: string };

/** Finds the handler of a request, and sets its path parameters. Undefined if the path is not in the table. @throws ApiError method_not_allowed */
export type FindRoute<H> = (req: Request) => H | undefined;

/** A known path without the method answers 405 before a path with a parameter can match. */
export function createRoutes<H>(rows: readonly Route[], handlerOf: (row: Route) => H): FindRoute<H> {
  const tree = createPathTree<PathRoutes<H>>();
  for (const path of new Set(rows.map((row) => row.path))) {
    const ofPath = rows.filter((row) => row.path === path);
    const byMethod = new Map(ofPath.map((row) => [row.method as string, handlerOf(row)]));
    tree.add(path, { byMethod, allow: allowHeader(ofPath.map((row) => row.method)) });
  }
  return (req) => {
    const match = tree.find(req.path);
    if (match === null) return undefined;
    const { byMethod, allow } = match.value;
    const handler = byMethod.get(req.method) ?? (req.method === 'HEAD' ? byMethod.get('GET') : undefined);
    if (handler === undefined) throw new ApiError('method_not_allowed', { headers: { allow } });
    req.params = match.params;
    return handler;
  };
}

export function allowHeader(methods: readonly string[]): string {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
