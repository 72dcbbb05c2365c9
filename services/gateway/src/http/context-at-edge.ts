import { type CallContext, newContext } from '@casewatch/platform';
import type { Request } from 'express';

/** What a caller may choose as a request's id (interface.md §1). */
const requestIdPattern = /^[A-Za-z0-9._-]{8,64}$/;

/**
 * A request's id, taken over if it is well-formed, and a trace that begins here: what came from outside is not
 * trusted.
 */
export function contextAtEdge(req: Request): CallContext {
  const given = req.get('x-request-id');
  return newContext(given !== undefined && requestIdPattern.test(given) ? given : undefined);
}
