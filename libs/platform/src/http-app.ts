import { createServer } from 'node:http';
import {
  type Operation,
  type OperationName,
  type OperationOf,
  operations,
  routesInOrder,
  type ServiceName,
  type Success,
} from '@casewatch/contracts';
import express, { type NextFunction, type Request, type Response } from 'express';
import { ApiError } from './errors.ts';
import { type Call, parseCall } from './http-call.ts';
import { errorHandler } from './http-errors.ts';
import { addHealth, type HttpServer, listen, securityHeaders } from './http-server.ts';
import { inContext, type Logger, newContext } from './logger.ts';
import { type PrincipalVerifier, principalHeader } from './principal.ts';

/** What a handler answers: the operation's success, or a page for a browser. */
export type Answer<N extends OperationName> = {
  body?: Success<N>;
  page?: string;
  status?: number;
  headers?: Record<string, string>;
};

/** One operation's code: parsed call in, answer out; failures are thrown as ApiError. */
export type Handler<N extends OperationName> = (call: Call<N>) => Promise<Answer<N>>;

/** Every operation of a service has a handler; a missing one does not compile. */
export type Handlers<S extends ServiceName> = { [N in OperationOf<S>]: Handler<N> };

type Options<S extends ServiceName> = {
  service: S;
  log: Logger;
  host: string;
  port: number;
  /** Whether the process can do its work: its own database and the bus. */
  ready: () => Promise<boolean>;
  /** Left out by services without operations. */
  api?: { handlers: Handlers<S>; verifier: PrincipalVerifier };
  /** Answers are checked against their schemas outside production, so that a wrong one is found by a test. */
  checkAnswers?: boolean;
};

/** Largest JSON body, bytes (interface.md §1). */
export const maxBodyBytes = 16 * 1024;

/** Starts a service's HTTP side: its operations, `/livez`, `/readyz`, and one shape for every error. */
export async function startHttp<S extends ServiceName>(options: Options<S>): Promise<HttpServer> {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.use(securityHeaders());
  app.use(requestContext(options.log));
  addHealth(app, options.ready);
  if (options.api) addOperations(app, options, options.api);
  app.use(() => {
    throw new ApiError('route_not_found');
  });
  app.use(errorHandler(options.log));
  return await listen(createServer(app), options.host, options.port);
}

/** Takes over the gateway's request id and trace, and logs one line per request: never the query string. */
function requestContext(log: Logger) {
  return (req: Request, res: Response, next: NextFunction) => {
    const context = newContext(req.get('x-request-id'), req.get('traceparent'));
    res.set('x-request-id', context.request_id);
    res.set('cache-control', 'no-store');
    const started = performance.now();
    res.on('finish', () => {
      const ms = Math.round(performance.now() - started);
      const level = req.path.endsWith('z') ? 'trace' : 'info';
      log[level](
        {
          method: req.method,
          route: res.locals.operation ?? 'none',
          status: res.statusCode,
          ms,
          request_id: context.request_id,
        },
        'request',
      );
    });
    inContext(context, () => next());
  };
}

function addOperations<S extends ServiceName>(
  app: express.Express,
  options: Options<S>,
  api: NonNullable<Options<S>['api']>,
) {
  const rows = routesInOrder().filter((row) => row.service === options.service);
  for (const row of rows) {
    const handler = api.handlers[row.name as OperationOf<S>] as unknown as Handler<OperationName>;
    const method = row.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    if (row.effectOnGet) app.head(expressPath(row.path), (_req, res) => void res.end());
    app[method](
      expressPath(row.path),
      mark(row.name),
      checkBodyType(row),
      ...bodyParsers(row),
      async (req, res) => {
        const caller = api.verifier(req.get(principalHeader), { method: req.method, path: req.path });
        authorise(row, caller.principal);
        const answer = await handler(parseCall(row, req, caller));
        send(row, answer, res, options.checkAnswers ?? true);
      },
    );
  }
  for (const path of new Set(rows.map((row) => row.path))) {
    const allow = rows.filter((row) => row.path === path).map((row) => row.method);
    app.all(expressPath(path), () => {
      throw new ApiError('method_not_allowed', { headers: { allow: allowHeader(allow) } });
    });
  }
}

/** GET implies HEAD; OPTIONS answers everywhere. */
export function allowHeader(methods: readonly string[]): string {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

function expressPath(path: string): string {
  return path.replaceAll(/\{([a-z_]+)\}/g, ':$1');
}

function mark(name: string) {
  return (_req: Request, res: Response, next: NextFunction) => {
    res.locals.operation = name;
    next();
  };
}

const parsers = {
  'application/json': express.json({ limit: maxBodyBytes, strict: true, type: 'application/json' }),
  'application/x-www-form-urlencoded': express.urlencoded({ limit: maxBodyBytes, extended: false }),
};

function bodyParsers(row: Operation) {
  if (!row.body) return [];
  return (row.consumes ?? (['application/json'] as const)).map((type) => parsers[type]);
}

function checkBodyType(row: Operation) {
  const types = row.consumes ?? ['application/json'];
  return (req: Request, _res: Response, next: NextFunction) => {
    const hasBody = Number(req.get('content-length') ?? 0) > 0 || req.get('transfer-encoding') !== undefined;
    if (row.body && hasBody && !req.is([...types])) {
      throw new ApiError('unsupported_media_type', { message: `Send the body as ${types.join(' or ')}.` });
    }
    next();
  };
}

/** Kind of caller and scope; whose object it is, the handler decides. */
export function authorise(row: Operation, principal: Call<OperationName>['principal']): void {
  if (!row.who.includes(principal.kind)) {
    if (principal.kind === 'partner' && row.who.includes('user'))
      throw new ApiError('partner_keys_not_accepted');
    throw new ApiError('missing_credentials', { message: whatToSend(row) });
  }
  if (principal.kind === 'partner' && row.scope !== null && !principal.scopes.includes(row.scope)) {
    throw new ApiError('insufficient_scope', {
      message: `This API key does not have the scope ${row.scope}.`,
    });
  }
}

/** The credentials that an operation takes, in words. */
export function whatToSend({ who }: Operation): string {
  const kinds = [
    ...(who.includes('user') ? ['a bearer token'] : []),
    ...(who.includes('partner') ? ['X-API-KEY and X-API-SECRET'] : []),
  ];
  return `Send ${kinds.join(', or ')}.`;
}

function send(
  row: Operation & { name: OperationName },
  answer: Answer<OperationName>,
  res: Response,
  check: boolean,
) {
  res.status(answer.status ?? row.success.status).set(answer.headers ?? {});
  if (answer.page !== undefined) {
    res.type('html').send(answer.page);
    return;
  }
  if (row.success.body === null) {
    res.end();
    return;
  }
  if (check) assertAnswer(row.name, answer.body);
  res.json(answer.body);
}

function assertAnswer(name: OperationName, body: unknown): void {
  const parsed = operations[name].success.body?.safeParse(body);
  if (!parsed?.error) return;
  const places = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  throw new ApiError('internal_error', { detail: `answer of ${name} does not match its schema: ${places}` });
}
