import { type CallContext, newContext } from '@casewatch/platform';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';

/** What a caller may choose as a request's id (interface.md §1). */
const requestIdPattern = /^[A-Za-z0-9._-]{8,64}$/;

/**
 * A request's id, taken over if it is well-formed; a trace that begins here, because a trace from outside is not trusted;
 * and the keyed hash of the caller's network.
 */
export function contextAtEdge(hashOf: (address: string) => string): (req: Request) => CallContext {
  // A hash costs 12 us, a twentieth of a whole request.
  const hashes = new LRUCache<string, string>({ max: 10_000, memoMethod: hashOf });
  return (req) => {
    const given = req.get('x-request-id');
    const requestId = given !== undefined && requestIdPattern.test(given) ? given : undefined;
    return newContext(requestId, undefined, hashes.memo(req.ip ?? 'unknown'));
  };
}
