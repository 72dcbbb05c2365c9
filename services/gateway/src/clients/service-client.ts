import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@casewatch/platform';
import { errors, Pool } from 'undici';
import { createConnector } from './connector.ts';

export type ForwardedRequest = {
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  /** Null where the request has no body. */
  body: IncomingMessage | null;
  deadlineMs: number;
};

export type ServiceClient = {
  /**
   * Streams a request to the service and its answer back.
   * @throws ApiError service_unavailable where the service is away or too slow and nothing was answered yet;
   *   request_timeout where it was the client that did not send its body in time
   */
  forward(request: ForwardedRequest, res: ServerResponse): Promise<void>;
  close(): Promise<void>;
};

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
    connections: 64,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    // A service that announces more is not taken at its word: idle connections are to end while it drains (DRAIN_MS).
    keepAliveMaxTimeout: 4_000,
    connect: createConnector(ca),
  });
  return {
    async forward({ method, path, headers, body, deadlineMs }, res) {
      const ended = new AbortController();
      const onClose = () => ended.abort(new ClientGone());
      res.once('close', onClose);
      const timer = setTimeout(() => ended.abort(new Late(deadlineMs)), deadlineMs);
      try {
        await untilSent(body === null, ended.signal, () =>
          pool.stream(
            {
              method: method as 'GET',
              path,
              headers,
              body,
              signal: ended.signal,
              headersTimeout: 0,
              bodyTimeout: deadlineMs,
            },
            ({ statusCode, headers: answered }) => {
              clearTimeout(timer);
              for (const [name, value] of Object.entries(answered)) {
                if (value !== undefined && !hopByHop.has(name)) res.setHeader(name, value);
              }
              res.statusCode = statusCode;
              return res;
            },
          ),
        );
      } catch (error) {
        if (error instanceof ClientGone || res.destroyed) return;
        if (error instanceof Late && body?.complete === false) throw bodyTooSlow(error);
        throw unavailable(origin, error);
      } finally {
        clearTimeout(timer);
        res.off('close', onClose);
      }
    },
    close: () => pool.close(),
  };
}

/**
 * What found no connection was not sent, so it may be tried again: in a cluster a pod may be gone a moment before its
 * address is. What has a body may not: the stream of it has ended with the first try.
 */
async function untilSent(
  isRepeatable: boolean,
  ended: AbortSignal,
  send: () => Promise<unknown>,
): Promise<void> {
  for (const endMs = performance.now() + retryForMs; ; ) {
    try {
      await send();
      return;
    } catch (error) {
      const isWorthIt = isRepeatable && !ended.aborted && performance.now() < endMs;
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

class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

class Late extends Error {
  override readonly name = 'Late';
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
  }
}

/** What comes of the body later belongs to nothing: the connection ends. */
function bodyTooSlow(cause: Late): ApiError {
  return new ApiError('request_timeout', { cause, headers: { connection: 'close' } });
}

function unavailable(origin: string, cause: unknown): ApiError {
  // TLS says in its message what is wrong with a certificate.
  const { message = 'unknown' } = cause as { message?: string };
  const reason = cause instanceof errors.UndiciError ? cause.code : message;
  return new ApiError('service_unavailable', { cause, detail: `${origin}: ${reason}` });
}
