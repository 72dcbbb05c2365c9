import { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express } from 'express';

/** An Express application with the settings of all services. */
export function createApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  // Has an effect only before the first middleware.
  app.set('case sensitive routing', true);
  return app;
}

/**
 * Classes of the requests and responses of a server for this application. Express changes the prototype of every object
 * that has another one, and the object is slow after that: a tenth of the gateway's CPU.
 */
export function messageClasses(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
