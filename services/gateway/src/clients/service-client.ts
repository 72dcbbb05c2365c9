import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@casewatch/platform';
import { errors, Pool } from 'undici';
import { createConcurrencyLimit } from '../domain/concurrency-limit.ts';
import { createConnector } from './connector.ts';
import type { Patience } from './give-up.ts';

export type ForwardedRequest = {
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  /** Null where the request has no body. */
  body: Buffer | null;
};

export type ServiceClient = {
  /**
   * Sends a request to the service and streams its answer back.
   * @throws ApiError service_unavailable where the service is away, or too many wait for a connection to it already;
   *   the signal's reason where it ends the wait for one
   */
  forward(request: ForwardedRequest, res: ServerResponse, patience: Patience): Promise<void>;
  close(): Promise<void>;
};

/** Connections to one service. */
const connections = 64;
/** Requests that wait for one, at most. */
const waiting = 256;
/** Longest silence within an answer, ms. */
const bodyTimeout = 2_500;
/** What could not be sent is tried again after, and for, ms. */
const retryMs = 50;
const retryForMs = 1_500;

/** Headers of one hop only (RFC 9110 §7.6.1), which are not passed on. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A pool of connections to one service. Idle ones end before the service's own keep-alive does. */
export function createServiceClient(origin: string, ca?: string): ServiceClient {
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    // A service that announces more is not taken at its word: idle connections are to end while it drains (DRAIN_MS).
    keepAliveMaxTimeout: 4_000,
    connect: createConnector(ca),
  });
  // The pool has a queue of its own, which does not hear that a request was given up.
  const free = createConcurrencyLimit({
    atOnce: connections,
    waiting,
    refuse: () => unavailable(origin, new Error('too many requests wait for a connection')),
  });
  return {
    async forward({ method, path, headers, body }, res, { signal, answering }) {
      const leave = await free.enter(origin, signal);
      try {
        await untilSent(signal, () =>
          pool.stream(
            { method: method as 'GET', path, headers, body, signal, headersTimeout: 0, bodyTimeout },
            ({ statusCode, headers: answered }) => {
              answering();
              for (const [name, value] of Object.entries(answered)) {
                if (value !== undefined && !hopByHop.has(name)) res.setHeader(name, value);
              }
              res.statusCode = statusCode;
              return res;
            },
          ),
        );
      } catch (error) {
        throw unavailable(origin, error);
      } finally {
        leave();
      }
    },
    close: () => pool.close(),
  };
}

/**
 * What found no connection was not sent, so it may be tried again: in a cluster a pod may be gone a moment before its
 * address is.
 */
async function untilSent(ended: AbortSignal, send: () => Promise<unknown>): Promise<void> {
  for (const endMs = performance.now() + retryForMs; ; ) {
    try {
      await send();
      return;
    } catch (error) {
      const isWorthIt = !ended.aborted && performance.now() < endMs;
      if (!isWorthIt || !foundNoConnection(error)) throw error;
    }
    await delay(retryMs, undefined, { signal: ended }).catch(() => {
      throw ended.reason;
    });
  }
}

/** Errors that come before anything is written: of the name, of the way, of the connection. */
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
  // TLS says in its message what is wrong with a certificate.
  const { message = 'unknown' } = cause as { message?: string };
  const reason = cause instanceof errors.UndiciError ? cause.code : message;
  return new ApiError('service_unavailable', { cause, detail: `${origin}: ${reason}` });
}
