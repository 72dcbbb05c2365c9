import { createServer, type Server } from 'node:http';
import type { Context } from '../context.ts';
import { createGatewayApp } from './app.ts';
import { answerUnreadable } from './unreadable-request.ts';

/** Largest request line and headers together, bytes. */
const maxHeaderSize = 16 * 1024;

/** How often Node looks for requests that take too long to arrive, ms. */
const connectionsCheckingInterval = 1_000;

/** The server that the outside talks to: every refusal has the one error shape, those of Node's parser too. */
export function createEdgeServer(ctx: Context): Server {
  const server = createServer({ maxHeaderSize, connectionsCheckingInterval }, createGatewayApp(ctx));
  answerUnreadable(server, ctx.log);
  return server;
}
