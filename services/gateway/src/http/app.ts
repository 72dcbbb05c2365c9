import { type Operation, routesInOrder } from '@casewatch/contracts';
import { ApiError, addHealth, allowHeader, errorHandler, securityHeaders } from '@casewatch/platform';
import express, { type Express } from 'express';
import type { Context } from '../context.ts';
import { cors } from './cors.ts';
import { forward } from './forward.ts';
import { problemPage } from './problem-page.ts';
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
  app.get('/problems/:code', problemPage);
  addOperations(app, ctx);
  app.use(() => {
    throw new ApiError('route_not_found');
  });
  app.use(errorHandler(ctx.log));
  return app;
}

function addOperations(app: Express, ctx: Context): void {
  const rows = routesInOrder();
  for (const row of rows) {
    const method = row.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    app[method](expressPath(row.path), forward(ctx, row));
  }
  for (const path of new Set(rows.map((row) => row.path))) {
    app.all(expressPath(path), () => {
      throw new ApiError('method_not_allowed', { headers: { allow: allowHeader(methodsOf(rows, path)) } });
    });
  }
}

function methodsOf(rows: readonly Operation[], path: string): string[] {
  return rows.filter((row) => row.path === path).map((row) => row.method);
}

function expressPath(path: string): string {
  return path.replaceAll(/\{([a-z_]+)\}/g, ':$1');
}
