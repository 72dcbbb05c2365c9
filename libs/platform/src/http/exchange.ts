import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** A client of systems that are not ours: HTTP/1.1 by node:http with its lenient parser, because they send what RFC 9112 forbids. */
export type HttpClient = {
  /**
   * One request and its answer. The head of the answer decides: a body that breaks off, or lasts longer than `bodyMs`, is cut.
   * Interim answers (1xx) are passed over. Redirects are not followed, bodies not decompressed, proxies not used.
   * @throws ExchangeError without the head of an answer; the reason of `signal`; what `beforeSending` throws
   */
  exchange(call: HttpCall): Promise<HttpAnswer>;
  /** Closes all connections, also those in use. */
  stop(): void;
};

export type HttpCall = {
  url: URL;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
  /** Longest wait for the connection and its TLS handshake, ms. */
  connectMs: number;
  /** Longest wait for the end of the body after the head, ms; without it, until `signal`. */
  bodyMs?: number;
  /** A longer body is cut and its connection closed. */
  readBytes: number;
  /** How much of the body is returned; without it, all that was read. */
  keptBytes?: number;
  /** Calls of different owners share no connection, so that no answer of one can reach the other. */
  owner?: number | undefined;
  /** Send once more if the server had closed a kept connection before the first byte of its answer (RFC 9112 §9.3.1). */
  resend?: boolean;
  /** Called once, when the connection is ready. If it throws, nothing is sent, and the connection waits for the next call. */
  beforeSending?: (() => void) | undefined;
};

export type HttpAnswer = {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** False if the body was cut or broke off. */
  isWhole: boolean;
};

/** What was going on when an exchange failed. `head`: a part of the answer's head had arrived. */
export type ExchangePhase = 'connect' | 'tls' | 'answer' | 'head';

/** `cause`: the error of the look-up, the connection or the parser. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  readonly phase: ExchangePhase;

  constructor(phase: ExchangePhase, cause: unknown) {
    super(`the exchange failed (${phase})`, { cause });
    this.phase = phase;
  }
}

/** The connection or its TLS handshake took longer than `connectMs`. */
export class ConnectTimeoutError extends Error {
  override readonly name = 'ConnectTimeoutError';
}

/** Valid for the parser, but no answer: the message says why. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
}

/** Of one answer, together. Node's 16 KiB are less than curl, Go and Python accept. */
export const maxHeaderBytes = 64 * 1_024;
/** Answers like `103 Early Hints` before the answer: one that never ends would keep the parser busy. */
const maxInterim = 100;
/** Many servers close idle connections after 5 s. */
const idleMs = 4_000;

/** Of a host with several addresses: how long one of them is tried before the next. Node's 250 ms give up on distant hosts. */
const addressMs = 1_000;

type Protocol = 'http:' | 'https:';
type Agents = Record<Protocol, http.Agent>;

/** @param lookup returns the addresses of a host to its connections. */
export function createHttpClient({ lookup }: { lookup?: LookupFunction } = {}): HttpClient {
  /** Connections that no request has yet. */
  const unused = new Set<Socket>();
  const common = { autoSelectFamilyAttemptTimeout: addressMs, ...(lookup && { lookup }) };
  const kept = agentsOf({ ...common, keepAlive: true, timeout: idleMs }, unused);
  const single = agentsOf({ ...common, keepAlive: false }, unused);

  return {
    async exchange({ resend = false, ...call }) {
      try {
        return await exchangeBy(kept, call);
      } catch (error) {
        const isResent = resend && error instanceof IdleClosedError && !call.signal.aborted;
        if (isResent) return await exchangeBy(single, call);
        throw error;
      }
    },
    stop() {
      for (const socket of unused) socket.destroy();
      for (const agent of [kept, single].flatMap(Object.values)) agent.destroy();
    },
  };
}

/** The kept connection ended before the first byte of the answer. */
class IdleClosedError extends ExchangeError {}

async function exchangeBy(agents: Agents, call: HttpCall): Promise<HttpAnswer> {
  const { url, method, headers, body, signal, beforeSending } = call;
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const { owner, connectMs } = call;
  const options = {
    method,
    headers: { ...headers, ...length },
    agent: agents[url.protocol as Protocol],
    insecureHTTPParser: true,
    maxHeaderSize: maxHeaderBytes,
    connection: { owner, connectMs, signal, beforeSending } satisfies ConnectionOption,
  };
  const request = (url.protocol === 'https:' ? https : http).request(url, options);
  let socket: Socket | undefined;
  let bytesBefore = 0;
  let interim = 0;
  let head: Pick<HttpAnswer, 'status' | 'headers'> | undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  let bodyTimer: NodeJS.Timeout | undefined;

  function letGo(): void {
    clearTimeout(bodyTimer);
    signal.removeEventListener('abort', onAbort);
  }
  function end(isWhole: boolean): void {
    letGo();
    if (head) resolve({ ...head, body: Buffer.concat(chunks).subarray(0, call.keptBytes), isWhole });
    if (!isWhole) request.destroy();
  }
  /** Once there is a head, the exchange has succeeded. */
  function fail(reason: unknown): void {
    if (!head) reject(reason);
    end(false);
  }
  function onAbort(): void {
    fail(signal.reason);
  }
  function onError(error: unknown): void {
    fail(error instanceof NotSentError ? error.cause : failureOf(error));
  }
  function failureOf(error: unknown): ExchangeError {
    if (error instanceof ExchangeError) return error;
    const hasBegun = socket !== undefined && socket.bytesRead > bytesBefore;
    if (request.reusedSocket && !hasBegun) return new IdleClosedError('answer', error);
    return new ExchangeError(hasBegun ? 'head' : 'answer', error);
  }

  signal.addEventListener('abort', onAbort);
  request.on('error', onError);
  request.once('socket', (given) => {
    socket = given;
    bytesBefore = given.bytesRead;
  });
  request.on('information', () => {
    interim += 1;
    if (interim > maxInterim) onError(new AnswerError(`it has more than ${maxInterim} interim answers`));
  });
  // Nobody has asked for another protocol, so nothing follows.
  request.once('upgrade', ({ statusCode: status = 0, headers }) => {
    head = { status, headers };
    end(false);
  });
  request.once('response', (response) => {
    const { statusCode: status = 0, headers } = response;
    if (status < 100) return onError(new AnswerError(`its status is ${status}`));
    head = { status, headers };
    if (hasTwoLengths(headers) && socket) ambiguous.add(socket);
    if (call.bodyMs !== undefined) bodyTimer = setTimeout(end, call.bodyMs, false);
    response.on('data', (chunk: Buffer) => {
      if (bytes < (call.keptBytes ?? call.readBytes)) chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > call.readBytes) end(false);
    });
    response.on('error', onError);
    response.once('end', () => end(response.complete));
  });
  // A kept connection is used immediately, a new one when `createConnection` has it ready.
  try {
    if (request.reusedSocket) beforeSending?.();
    request.end(body);
  } catch (error) {
    fail(error);
  }
  return await promise;
}

/** What follows on such a connection may be the rest of the answer (RFC 9112 §6.3). */
function hasTwoLengths(headers: IncomingHttpHeaders): boolean {
  return headers['content-length'] !== undefined && headers['transfer-encoding'] !== undefined;
}

const ambiguous = new WeakSet<object>();

type ConnectionOption = Pick<HttpCall, 'owner' | 'connectMs' | 'signal' | 'beforeSending'>;
type Connect = http.ClientRequestArgs & { connection: ConnectionOption };

/** `cause`: what `beforeSending` threw. */
class NotSentError extends Error {
  override readonly name = 'NotSentError';
}

function agentsOf(options: https.AgentOptions, unused: Set<Socket>): Agents {
  return {
    'http:': prepared(new http.Agent(options), unused),
    'https:': prepared(new https.Agent(options), unused),
  };
}

/**
 * Requests get connections that are ready, so that what fails before is no fault of the answer. Owners do not share
 * connections, and bytes that nobody has asked for end a connection: they must not answer the next request.
 */
function prepared(agent: http.Agent, unused: Set<Socket>): http.Agent {
  const { createConnection, getName, keepSocketAlive, reuseSocket } = agent;
  /** Ready connections whose request was not sent, by name. */
  const spare = new Map<string, Socket>();

  function nameOf(options: unknown): string {
    return `${getName.call(agent, options as Connect)}:${(options as Connect).connection.owner}`;
  }
  function takeSpare(name: string): Socket | undefined {
    const socket = spare.get(name);
    spare.delete(name);
    if (!socket || socket.destroyed) return undefined;
    unused.delete(socket);
    return socket.off('data', destroy).off('timeout', destroy).setTimeout(0).ref();
  }
  function keepSpare(name: string, socket: Socket): void {
    spare.get(name)?.destroy();
    spare.set(name, socket);
    unused.add(socket.on('data', destroy).on('timeout', destroy).setTimeout(idleMs).unref());
    socket.once('close', () => unused.delete(socket));
  }

  return Object.assign(agent, {
    getName: nameOf,
    createConnection(options: Connect, callback: (error: Error | null, socket?: Socket) => void): undefined {
      const name = nameOf(options);
      const handOver = (socket: Socket) => {
        try {
          options.connection.beforeSending?.();
        } catch (cause) {
          keepSpare(name, socket);
          return callback(new NotSentError('the request was not sent', { cause }));
        }
        callback(null, socket);
      };
      const waiting = takeSpare(name);
      if (waiting) return void handOver(waiting);
      const socket = createConnection.call(agent, options) as Socket;
      unused.add(socket);
      whenReady(socket, options.connection, (error) => {
        unused.delete(socket);
        if (error) callback(error);
        else handOver(socket);
      });
    },
    keepSocketAlive(socket: Socket): boolean {
      if (ambiguous.has(socket)) return false;
      socket.on('data', destroy);
      return keepSocketAlive.call(agent, socket) as unknown as boolean;
    },
    reuseSocket(socket: Socket, request: http.ClientRequest): void {
      socket.off('data', destroy);
      reuseSocket.call(agent, socket, request);
    },
  });
}

/** Waits for the connection and its TLS handshake, with a certificate for the host. */
function whenReady(
  socket: Socket,
  { connectMs, signal }: ConnectionOption,
  done: (error: ExchangeError | null) => void,
): void {
  const isSecure = socket instanceof TLSSocket;
  let phase: ExchangePhase = 'connect';
  const timer = setTimeout(
    () => socket.destroy(new ConnectTimeoutError(`no connection in ${connectMs} ms`)),
    connectMs,
  );
  const giveUp = () => void socket.destroy();
  signal.addEventListener('abort', giveUp);
  function settle(error: ExchangeError | null): void {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    socket.off('close', onClose);
    done(error);
  }
  function onClose(): void {
    settle(new ExchangeError(phase, failure ?? new Error('the connection was closed')));
  }
  let failure: Error | undefined;
  // Stays: between two requests nobody else listens.
  socket.on('error', (error) => {
    failure = error;
  });
  socket.once('close', onClose);
  socket.once('connect', () => {
    if (isSecure) phase = 'tls';
    else settle(null);
  });
  if (isSecure) socket.once('secureConnect', () => settle(null));
}

function destroy(this: Socket): void {
  this.destroy();
}
