import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { securityHeaders } from '../server.ts';

/** The security headers as lines of HTTP, for an answer that is written to a socket because there is no request. */
export function securityHeaderLines(): string[] {
  const req = new IncomingMessage(new Socket());
  const res = new ServerResponse(req);
  securityHeaders()(req as Request, res as Response, () => {});
  return Object.entries(res.getHeaders()).map(([name, value]) => `${name}: ${value}`);
}
