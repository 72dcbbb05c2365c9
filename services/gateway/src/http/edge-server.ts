import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { routesInOrder } from '@casewatch/contracts';
import {
  acceptWithoutParameters,
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
import { setLimitHeaders } from './authorise-request.ts';
import { createCors } from './cors.ts';
import { countRefused } from './count-refused.ts';
import { forward } from './forward.ts';
import { discardAfterResponse } from './read-body.ts';
import { ambiguityOf } from './refuse-ambiguous.ts';
import { createRepeatedRefusal } from './refuse-repeated.ts';
import { callersRequestId } from './request-id.ts';
import { answerUnreadable } from './unreadable-request.ts';

/** Maximum size of request line and headers, bytes. */
const maxHeaderSize = 16 * 1024;

/** Interval of the check for slow requests, ms. */
const connectionsCheckingInterval = 1_000;

export function createEdgeServer(ctx: Context): Server {
  const app = createGatewayApp(ctx);
  // Requests without Host are refused by `ambiguityOf`, in the one error shape.
  const options = {
    ...messageClasses(app),
    maxHeaderSize,
    connectionsCheckingInterval,
    requireHostHeader: false,
  };
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
      const { accept } = req.headers;
      if (accept !== undefined) req.headers.accept = acceptWithoutParameters(accept);
      const ambiguity = ambiguityOf(req);
      if (ambiguity) {
        const { error, verdict } = countRefused(ctx, req.ip ?? 'unknown', ambiguity);
        setLimitHeaders(res, verdict);
        throw error;
      }
      return answerPreflight(req, res);
    },
    findRoute: createRoutes(routesInOrder(), (row) => forward(ctx, row)),
  });
  const server = createServer(options);
  ctx.connections.watch(server);
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    discardAfterResponse(req, res);
    if (!refuseRepeated(req, res)) listener(req, res);
  });
  // Node would send `100 Continue`, or 417, before credentials and limits are checked.
  for (const event of ['checkContinue', 'checkExpectation'])
    server.on(event, (req: IncomingMessage, res: ServerResponse) => server.emit('request', req, res));
  answerUnreadable(server, ctx);
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
