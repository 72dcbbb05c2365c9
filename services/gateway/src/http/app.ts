import { routesInOrder } from '@casewatch/contracts';
import { ApiError, addHealth, errorHandler, mountRoutes, securityHeaders } from '@casewatch/platform';
import express, { type Express } from 'express';
import type { Context } from '../context.ts';
import { addDocs } from '../docs/add-docs.ts';
import { cors } from './cors.ts';
import { forward } from './forward.ts';
import { requestContext } from './request-context.ts';

/** The public address: routes come from the operation table alone. */
export function createApp(ctx: Context): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  app.set('trust proxy', ctx.config.TRUSTED_HOPS);
  app.use(securityHeaders());
  app.use(requestContext(ctx.log));
  app.use(cors(ctx.config.CORS_ORIGINS));
  addHealth(app, () => ctx.bus.ping(1_000));
  addDocs(app, ctx.config.PUBLIC_URL);
  mountRoutes(app, routesInOrder(), (row) => [forward(ctx, row)]);
  app.use(() => {
    throw new ApiError('route_not_found');
  });
  app.use(errorHandler(ctx.log));
  return app;
}
