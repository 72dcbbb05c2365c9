import { routesInOrder } from '@casewatch/contracts';
import {
  ApiError,
  addHealth,
  type CallContext,
  createApp,
  errorHandler,
  mountRoutes,
  networkHasher,
  newContext,
  securityHeaders,
} from '@casewatch/platform';
import type { Express, Request } from 'express';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import { addDocs } from '../docs/add-docs.ts';
import { cors } from './cors.ts';
import { forward } from './forward.ts';
import { addPages } from './pages/add-pages.ts';
import { refuseAmbiguous } from './refuse-ambiguous.ts';
import { callersRequestId } from './request-id.ts';

export function createGatewayApp(ctx: Context): Express {
  const contextOf = contextAtEdge(networkHasher(ctx.config.PRINCIPAL_KEY));
  const app = createApp(ctx.log, { contextOf, meter: ctx.meter, isEdge: true, headers: securityHeaders });
  app.set('trust proxy', ctx.config.TRUSTED_HOPS);
  app.use(cors(ctx.config.CORS_ORIGINS));
  app.use(refuseAmbiguous);
  // First, because each layer before it takes time of each request.
  mountRoutes(app, routesInOrder(), (row) => [forward(ctx, row)]);
  // Not ready before the revocations are known. Anyone can call it, so it asks nothing over the bus.
  addHealth(app, async () => ctx.revocations.hasBegun());
  // A browser gets a page for people at `/`, a program gets the documents.
  addPages(app, ctx);
  addDocs(app, ctx.config.PUBLIC_URL);
  app.use(() => {
    throw new ApiError('route_not_found');
  });
  app.use(errorHandler(ctx.log));
  return app;
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
