import { type CallContext, newContext } from '@casewatch/platform';
import type { Request } from 'express';

/** What a caller may choose as a request's id (interface.md §1). */
const requestIdPattern = /^[A-Za-z0-9._-]{8,64}$/;

/**
 * A request's id, taken over if it is well-formed; a trace that begins here, because a trace from outside is not trusted;
 * and the keyed hash of the caller's network.
 */
export function contextAtEdge(hashOf: (address: string) => string): (req: Request) => CallContext {
  return (req) => {
    const given = req.get('x-request-id');
    const requestId = given !== undefined && requestIdPattern.test(given) ? given : undefined;
    return newContext(requestId, undefined, hashOf(req.ip ?? 'unknown'));
  };
}
