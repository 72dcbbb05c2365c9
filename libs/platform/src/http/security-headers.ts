import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

/** Headers that forbid browsers every use of a response. Pages set their own policy. */
export function securityHeaders(): RequestHandler {
  // default-src does not cover the other three (CSP 3, "Fetch directives").
  const directives = {
    defaultSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  };
  return helmet({ contentSecurityPolicy: { useDefaults: false, directives } });
}

/** The same headers as lines of HTTP, for a response that is written to a socket. */
export function securityHeaderLines(): string[] {
  const req = new IncomingMessage(new Socket());
  const res = new ServerResponse(req);
  securityHeaders()(req as Request, res as Response, () => {});
  return Object.entries(res.getHeaders()).map(([name, value]) => `${name}: ${value}`);
}
