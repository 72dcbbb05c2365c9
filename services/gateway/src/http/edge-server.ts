import { createServer, type Server } from 'node:http';
import { routesInOrder } from '@casewatch/contracts';
import {
  type CallContext,
  createListener,
  createRoutes,
  messageClasses,
  networkHasher,
  newContext,
  securityHeaders,
} from '@casewatch/platform';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import { createGatewayApp } from './app.ts';
import { createCors } from './cors.ts';
import { forward } from './forward.ts';
import { refuseAmbiguous } from './refuse-ambiguous.ts';
import { createRepeatedRefusal } from './refuse-repeated.ts';
import { callersRequestId } from './request-id.ts';
import { answerUnreadable } from './unreadable-request.ts';

/** Maximum size of request line and headers, bytes. */
const maxHeaderSize = 16 * 1024;

/** Interval of the check for slow requests, ms. */
const connectionsCheckingInterval = 1_000;

export function createEdgeServer(ctx: Context): Server {
  const app = createGatewayApp(ctx);
  const options = { ...messageClasses(app), maxHeaderSize, connectionsCheckingInterval };
  const answerPreflight = createCors(ctx.config.CORS_ORIGINS);
  const refuseRepeated = createRepeatedRefusal(ctx);
  const listener = createListener({
    log: ctx.log,
    meter: ctx.meter,
    app,
    isEdge: true,
    contextOf: contextAtEdge(networkHasher(ctx.config.PRINCIPAL_KEY)),
    headers: [...securityHeaders].flat(),
    before(req, res) {
      if (answerPreflight(req, res)) return true;
      refuseAmbiguous(req);
      return false;
    },
    findRoute: createRoutes(routesInOrder(), (row) => forward(ctx, row)),
  });
  const server = createServer(options, (req, res) => {
    if (!refuseRepeated(req, res)) listener(req, res);
  });
  answerUnreadable(server, ctx.log);
  return server;
}

/** A trace from outside is not trusted; a valid request id is kept. */
function contextAtEdge(hashOf: (address: string) => string): (req: Request) => CallContext {
  // A hash takes 12 us, 5 % of a request.
  const hashes = new LRUCache<string, string>({ max: 10_000, memoMethod: hashOf });
  return (req) => {
    const requestId = callersRequestId(req.headers['x-request-id']);
    return newContext(requestId, undefined, hashes.memo(req.ip ?? 'unknown'));
  };
}
