import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { routesInOrder } from '@casewatch/contracts';
import {
  acceptWithoutParameters,
  addHealth,
  addOperations,
  type CallContext,
  createApp,
  networkHasher,
  newContext,
  securityHeaders,
} from '@casewatch/platform';
import type { Express, NextFunction, Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import { addDocs } from '../docs/add-docs.ts';
import { setLimitHeaders } from './authorise-request.ts';
import { createCors } from './cors.ts';
import { countRefused } from './count-refused.ts';
import { forward } from './forward.ts';
import { addNotFound, addPages } from './pages/add-pages.ts';
import { discardAfterResponse } from './read-body.ts';
import { ambiguityOf } from './refuse-ambiguous.ts';
import { callersRequestId } from './request-id.ts';
import { answerUnreadable } from './unreadable-request.ts';

/** Maximum size of request line and headers, bytes. */
const maxHeaderSize = 16 * 1024;

/** Interval of the check for slow requests, ms. */
const connectionsCheckingInterval = 1_000;

export function createEdgeServer(ctx: Context): Server {
  // Requests without Host are refused by `refuseAmbiguous`, in the one error shape.
  const server = createServer({ maxHeaderSize, connectionsCheckingInterval, requireHostHeader: false });
  ctx.connections.watch(server);
  server.on('request', createEdgeApp(ctx));
  // Node would send `100 Continue`, or 417, before credentials and limits are checked.
  for (const event of ['checkContinue', 'checkExpectation'])
    server.on(event, (req: IncomingMessage, res: ServerResponse) => server.emit('request', req, res));
  answerUnreadable(server, ctx);
  return server;
}

/** All that the gateway serves, in the order in which a request meets it. */
function createEdgeApp(ctx: Context): Express {
  const { log, meter, config } = ctx;
  const contextOf = contextAtEdge(networkHasher(config.PRINCIPAL_KEY));
  return createApp({ log, meter, isEdge: true, contextOf, headers: securityHeaders }, (app) => {
    app.set('trust proxy', config.TRUSTED_HOPS);
    app.use(prepare, refuseAmbiguous(ctx), createCors(config.CORS_ORIGINS));
    addOperations(app, routesInOrder(), (row) => forward(ctx, row));
    // Not ready before the revocations are known. Anyone can call it, so it asks nothing over the bus.
    addHealth(app, async () => ctx.revocations.hasBegun());
    // A browser gets a page for people at `/`, a program gets the documents.
    addPages(app, ctx);
    addDocs(app, config.PUBLIC_URL);
    addNotFound(app, ctx);
  });
}

function prepare(req: Request, res: Response, next: NextFunction): void {
  discardAfterResponse(req, res);
  const { accept } = req.headers;
  if (accept !== undefined) req.headers.accept = acceptWithoutParameters(accept);
  next();
}

function refuseAmbiguous(ctx: Context) {
  return (req: Request, res: Response, next: NextFunction): void => {
    const ambiguity = ambiguityOf(req);
    if (ambiguity === null) {
      next();
      return;
    }
    const { error, verdict } = countRefused(ctx, req.ip ?? 'unknown', ambiguity);
    setLimitHeaders(res, verdict);
    throw error;
  };
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
