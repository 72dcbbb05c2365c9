import { createServer, type Server } from 'node:http';
import type { Context } from '../context.ts';
import { createGatewayApp } from './app.ts';
import { answerUnreadable } from './unreadable-request.ts';

/** Maximum size of request line and headers, bytes. */
const maxHeaderSize = 16 * 1024;

/** Interval of the check for slow requests, ms. */
const connectionsCheckingInterval = 1_000;

export function createEdgeServer(ctx: Context): Server {
  const server = createServer({ maxHeaderSize, connectionsCheckingInterval }, createGatewayApp(ctx));
  answerUnreadable(server, ctx.log);
  return server;
}
