import { createServer, type Server } from 'node:http';
import { messageClasses } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { createGatewayApp } from './app.ts';
import { createRepeatedRefusal } from './refuse-repeated.ts';
import { answerUnreadable } from './unreadable-request.ts';

/** Maximum size of request line and headers, bytes. */
const maxHeaderSize = 16 * 1024;

/** Interval of the check for slow requests, ms. */
const connectionsCheckingInterval = 1_000;

export function createEdgeServer(ctx: Context): Server {
  const app = createGatewayApp(ctx);
  const options = { ...messageClasses(app), maxHeaderSize, connectionsCheckingInterval };
  const refuseRepeated = createRepeatedRefusal(ctx);
  const server = createServer(options, (req, res) => {
    if (!refuseRepeated(req, res)) app(req, res);
  });
  answerUnreadable(server, ctx.log);
  return server;
}
