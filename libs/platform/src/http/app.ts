import {
  type Operation,
  type OperationName,
  type OperationOf,
  type Principal,
  routesInOrder,
  type ServiceName,
} from '@casewatch/contracts';
import type { Meter } from '@opentelemetry/api';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { ApiError } from '../errors.ts';
import type { ServerTls } from '../settings/tls-settings.ts';
import type { Idempotency } from '../store/idempotency.ts';
import { type Logger, networkHeader, newContext } from '../telemetry/logger.ts';
import { withDeadline } from '../timing/deadline.ts';
import { readTimeLeft, timeLeftHeader, withTimeLeft } from '../timing/time-left.ts';
import { parseCall } from './call.ts';
import { type PrincipalVerifier, principalHeader } from './callers/principal.ts';
import { createApp } from './context.ts';
import { errorHandler } from './error-handler.ts';
import type { Answer, Handler, Handlers } from './handler.ts';
import { jsonBody } from './json-body.ts';
import { messageClasses } from './message-classes.ts';
import { mountRoutes, type Route } from './routes.ts';
import { runOnce } from './run-once.ts';
import { addHealth, type HttpServer, listen } from './server.ts';
import { createHttpServer } from './tls.ts';

type Options<S extends ServiceName> = {
  service: S;
  log: Logger;
  meter?: Meter;
  host: string;
  port: number;
  tls?: ServerTls | undefined;
  ready: () => Promise<boolean>;
  api?: { handlers: Handlers<S>; verifier: PrincipalVerifier; idempotency: Idempotency | undefined };
  checkAnswers?: boolean;
};

/** Largest JSON body, bytes (interface.md §1). */
export const maxBodyBytes = 16 * 1024;

export async function startHttp<S extends ServiceName>(options: Options<S>): Promise<HttpServer> {
  // Only the gateway reaches a service: its headers are trusted, and it adds the security headers.
  const app = createApp(options.log, {
    ...(options.meter && { meter: options.meter }),
    contextOf: (req) => newContext(req.get('x-request-id'), req.get('traceparent'), req.get(networkHeader)),
  });
  if (options.api) addOperations(app, options, options.api);
  addHealth(app, options.ready);
  app.use(() => {
    throw new ApiError('route_not_found');
  });
  app.use(errorHandler(options.log));
  const server = createHttpServer(app, options.tls, messageClasses(app));
  return await listen(server, options.host, options.port);
}

function addOperations<S extends ServiceName>(
  app: express.Express,
  options: Options<S>,
  api: NonNullable<Options<S>['api']>,
) {
  const rows = routesInOrder().filter((row) => row.service === options.service);
  mountRoutes(app, rows, (row) => [
    setOperation(row),
    checkBodyType(row),
    ...bodyParsers(row),
    async (req, res) => {
      const signed = api.verifier(req.get(principalHeader), { method: req.method, path: req.path });
      res.locals.principal = signed.principal;
      authorise(row, signed.principal);
      const handler = api.handlers[row.name as OperationOf<S>] as unknown as Handler<OperationName>;
      const runOptions = { row, idempotency: api.idempotency, log: options.log };
      const leftMs = readTimeLeft(req.get(timeLeftHeader), row.deadlineMs);
      const work = withTimeLeft(leftMs, () => runOnce(runOptions, parseCall(row, req, signed), handler));
      const answer = await withDeadline(work, leftMs, row.name);
      send(row, answer, res, options.checkAnswers ?? true);
    },
  ]);
}

/** Sets the operation for the log. HEAD on a GET with an effect ends here. */
function setOperation(row: Route) {
  return (req: Request, res: Response, next: NextFunction) => {
    res.locals.operation = row.name;
    if (row.effectOnGet && req.method === 'HEAD') res.end();
    else next();
  };
}

const parsers = {
  'application/json': jsonBody(maxBodyBytes),
  'application/x-www-form-urlencoded': express.urlencoded({ limit: maxBodyBytes, extended: false }),
};

function bodyParsers(row: Operation): RequestHandler[] {
  if (row.signedBody) return [express.raw({ limit: row.signedBody.maxBytes, type: 'application/json' })];
  if (!row.body) return [];
  return (row.consumes ?? (['application/json'] as const)).flatMap((type) => parsers[type]);
}

function checkBodyType(row: Operation) {
  const types = row.consumes ?? ['application/json'];
  return (req: Request, _res: Response, next: NextFunction) => {
    const hasBody = Number(req.get('content-length') ?? 0) > 0 || req.get('transfer-encoding') !== undefined;
    if ((row.body ?? row.signedBody) && hasBody && !req.is([...types])) {
      throw new ApiError('unsupported_media_type', { message: `Send the body as ${types.join(' or ')}.` });
    }
    next();
  };
}

/** Checks the kind of caller and the scope. The handler checks who owns the object. */
export function authorise(row: Operation, principal: Principal): void {
  if (!row.who.includes(principal.kind)) {
    if (principal.kind === 'partner' && row.who.includes('user'))
      throw new ApiError('partner_keys_not_accepted');
    throw new ApiError('missing_credentials', { message: credentialsHint(row) });
  }
  if (principal.kind === 'partner' && row.scope !== null && !principal.scopes.includes(row.scope)) {
    throw new ApiError('insufficient_scope', {
      message: `This API key does not have the scope ${row.scope}.`,
    });
  }
}

export function credentialsHint({ who }: Operation): string {
  const kinds = [
    ...(who.includes('user') ? ['a bearer token'] : []),
    ...(who.includes('partner') ? ['X-API-KEY and X-API-SECRET'] : []),
  ];
  return `Send ${kinds.join(', or ')}.`;
}

function send(row: Route, answer: Answer<OperationName>, res: Response, check: boolean) {
  res.statusCode = answer.status ?? row.success.status;
  if (answer.headers !== undefined) res.set(answer.headers);
  if (answer.page !== undefined) {
    res.type('html').send(answer.page);
    return;
  }
  if (row.success.body === null) {
    res.end();
    return;
  }
  if (check) assertAnswer(row, answer);
  const text = answer.json ?? JSON.stringify(answer.body ?? null);
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.setHeader('content-length', Buffer.byteLength(text));
  res.end(text);
}

function assertAnswer(row: Route, { status, body, json }: Answer<OperationName>): void {
  const { name, success, toAnonymous } = row;
  const expected = status === toAnonymous?.status ? toAnonymous?.body : success.body;
  const parsed = expected?.safeParse(json === undefined ? body : JSON.parse(json));
  if (!parsed?.error) return;
  const places = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  throw new ApiError('internal_error', { detail: `answer of ${name} does not match its schema: ${places}` });
}
