import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@casewatch/platform';
import { errors, Pool } from 'undici';
import { createConcurrencyLimit, type Wait } from '../domain/concurrency-limit.ts';
import { createConnector } from './connector.ts';
import { passResponse } from './pass-response.ts';
import type { RequestTimeouts } from './with-timeouts.ts';

export type ForwardedRequest = {
  method: string;
  path: string;
  /** Names and values in turn. */
  headers: string[];
  body: Buffer | null;
  /** Longest wait for a free connection. */
  waitMs: number;
};

export type ServiceAnswer = {
  readonly status: number;
  readonly body: string;
  readonly retryAfterS: number | undefined;
};

export type ServiceClient = {
  /**
   * The whole answer of the service, for a page.
   * @throws ApiError service_unavailable
   */
  ask(request: ForwardedRequest, signal: AbortSignal): Promise<ServiceAnswer>;
  /**
   * Streams the answer of the service into a response that has no head yet.
   * @throws ApiError service_unavailable
   */
  forward(request: ForwardedRequest, res: ServerResponse, timeouts: RequestTimeouts): Promise<void>;
  close(): Promise<void>;
};

/** Connections to one service. */
const connections = 64;
/** Maximum number of requests that wait for a connection. */
const waiting = 256;
/** Longest pause within an answer, ms. */
const bodyTimeout = 2_500;
/** Interval and total time of attempts to connect, ms. */
const retryMs = 50;
const retryForMs = 1_500;

/** Idle connections end before the keep-alive of the service does. */
export function createServiceClient(origin: string, ca?: string): ServiceClient {
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    // A longer keep-alive from the service is ignored: idle connections must end while it drains.
    keepAliveMaxTimeout: 4_000,
    connect: createConnector(ca),
  });
  // The pool's own queue does not notice that a request was given up.
  const freeConnections = createConcurrencyLimit({
    atOnce: connections,
    waiting,
    refuse: () => unavailable(origin, new Error('too many requests wait for a connection')),
  });
  return {
    async ask({ method, path, headers, body, waitMs }, signal) {
      const controller = { signal };
      const leave = await freeConnections.enter(origin, { controller, waitMs });
      try {
        const request = {
          method: method as 'GET',
          path,
          headers,
          body,
          headersTimeout: 0,
          bodyTimeout,
          signal,
        };
        return await sendWithRetry(controller, async () => {
          const response = await pool.request(request);
          const retryAfter = response.headers['retry-after'];
          return {
            status: response.statusCode,
            body: await response.body.text(),
            retryAfterS: retryAfter === undefined ? undefined : Number(retryAfter),
          };
        });
      } catch (error) {
        throw unavailable(origin, error);
      } finally {
        leave();
      }
    },
    async forward({ method, path, headers, body, waitMs }, res, timeouts) {
      const leave = await freeConnections.enter(origin, { controller: timeouts, waitMs });
      try {
        const request = { method: method as 'GET', path, headers, body, headersTimeout: 0, bodyTimeout };
        await sendWithRetry(timeouts, () => passResponse(pool, request, res, timeouts));
      } catch (error) {
        throw unavailable(origin, error);
      } finally {
        leave();
      }
    },
    close: () => pool.close(),
  };
}

/** A request without a connection was not sent and can be retried: in a cluster an address outlives its pod. */
async function sendWithRetry<T>(controller: Wait['controller'], send: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + retryForMs;
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const mayRetry = !controller.signal.aborted && performance.now() < endMs;
      if (!mayRetry || !foundNoConnection(error)) throw error;
    }
    const { signal } = controller;
    await delay(retryMs, undefined, { signal }).catch(() => {
      throw signal.reason;
    });
  }
}

/** Errors before anything is written. */
const notSent = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);

function foundNoConnection(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && notSent.has(String(error.code));
}

function unavailable(origin: string, cause: unknown): ApiError {
  // TLS errors are explained in their message.
  const { message = 'unknown' } = cause as { message?: string };
  const reason = cause instanceof errors.UndiciError ? cause.code : message;
  return new ApiError('service_unavailable', { cause, detail: `${origin}: ${reason}` });
}
