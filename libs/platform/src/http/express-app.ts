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
  const { request, response } = app;
  class AppRequest extends IncomingMessage {
    #ip: string | undefined;

    /** Express reads the addresses of all proxies each time. Without this header there is only one address. */
    get ip(): string | undefined {
      const isDirect = this.headers['x-forwarded-for'] === undefined;
      this.#ip ??= isDirect ? this.socket.remoteAddress : Reflect.get(request, 'ip', this);
      return this.#ip;
    }
  }
  class AppResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(AppRequest.prototype, request);
  Object.setPrototypeOf(AppResponse.prototype, response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
