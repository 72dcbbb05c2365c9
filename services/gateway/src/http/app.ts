import { addHealth, createApp } from '@casewatch/platform';
import type { Express } from 'express';
import type { Context } from '../context.ts';
import { addDocs } from '../docs/add-docs.ts';
import { addPages } from './pages/add-pages.ts';

/** What is no operation: health, pages and documents. */
export function createGatewayApp(ctx: Context): Express {
  const app = createApp();
  app.set('trust proxy', ctx.config.TRUSTED_HOPS);
  // Not ready before the revocations are known. Anyone can call it, so it asks nothing over the bus.
  addHealth(app, async () => ctx.revocations.hasBegun());
  // A browser gets a page for people at `/`, a program gets the documents.
  addPages(app, ctx);
  addDocs(app, ctx.config.PUBLIC_URL);
  return app;
}
