import { routesInOrder } from '@casewatch/contracts';
import {
  ApiError,
  addHealth,
  createApp,
  errorHandler,
  mountRoutes,
  networkHasher,
} from '@casewatch/platform';
import type { Express } from 'express';
import type { Context } from '../context.ts';
import { addDocs } from '../docs/add-docs.ts';
import { contextAtEdge } from './context-at-edge.ts';
import { cors } from './cors.ts';
import { forward } from './forward.ts';
import { refuseAmbiguous } from './refuse-ambiguous.ts';

export function createGatewayApp(ctx: Context): Express {
  const app = createApp(ctx.log, contextAtEdge(networkHasher(ctx.config.PRINCIPAL_KEY)));
  app.set('trust proxy', ctx.config.TRUSTED_HOPS);
  app.use(cors(ctx.config.CORS_ORIGINS));
  app.use(refuseAmbiguous);
  // Not ready before the revocations are known. Anyone can call it, so it asks nothing over the bus.
  addHealth(app, async () => ctx.revocations.hasBegun());
  addDocs(app, ctx.config.PUBLIC_URL);
  mountRoutes(app, routesInOrder(), (row) => [forward(ctx, row)]);
  app.use(() => {
    throw new ApiError('route_not_found');
  });
  app.use(errorHandler(ctx.log));
  return app;
}
