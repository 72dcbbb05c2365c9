import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, bodyTooLarge, checkContentCoding } from '@casewatch/platform';
import type { Context } from '../context.ts';

export type Reading = {
  readonly withinMs: number;
  readonly maxBytes: number;
  /** Its signal ends the reading early; it is read only if there is a body. */
  readonly controller: Pick<AbortController, 'signal'>;
};

type Expected = {
  readonly caller: string;
  readonly isAnonymous: boolean;
  readonly maxBytes: number;
  /** Refuses the request while its body is not complete. */
  readonly giveUp: (error: Error) => void;
};

export type Admission = {
  /** The body is complete: from now on the request does not wait for its client. */
  received(): void;
  /** The memory of the body is free again. */
  end(): void;
};

/** Time that a client has to finish a body after its response, ms. A connection that is closed earlier can lose the response. */
const restMs = 500;

/** Smallest memory for a body without Content-Length, bytes. */
const firstBytes = 4_096;

const nothing: Admission = { received: () => undefined, end: () => undefined };

/** @throws ApiError payload_too_large */
export function checkSize(req: IncomingMessage, maxBytes: number): void {
  if ((announcedBytes(req) ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
}

/** The coding is not passed on to services. @throws ApiError unsupported_media_type */
export function checkCoding(req: IncomingMessage): void {
  if (hasBody(req)) checkContentCoding(req.headers['content-encoding']);
}

/**
 * Takes memory for a body before the request waits for anything: Node has read the first part of the body already.
 * @throws ApiError rate_limited, service_unavailable: there is no room
 */
export function admitBody(
  { bodies, connections }: Pick<Context, 'bodies' | 'connections'>,
  req: IncomingMessage,
  { caller, isAnonymous, maxBytes, giveUp }: Expected,
): Admission {
  if (!hasBody(req)) return nothing;
  const end = bodies.take({ caller, isAnonymous, bytes: announcedBytes(req) ?? maxBytes });
  const received = isAnonymous ? connections.waitsForClient(req, giveUp) : nothing.received;
  return {
    received,
    end() {
      received();
      end();
    },
  };
}

/**
 * Null if there is no body. A client that waits for `100 Continue` gets it here, not before its credentials and limits were checked.
 * @throws ApiError payload_too_large, request_timeout; the reason of the signal
 */
export function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  { withinMs, maxBytes, controller }: Reading,
): Promise<Buffer> | null {
  if (!hasBody(req)) return null;
  const { signal } = controller;
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const received = createReceiver(announcedBytes(req), maxBytes);
  const timer = setTimeout(() => reject(tooSlow(withinMs)), withinMs);
  const onAbort = () => reject(signal.reason);
  const onData = (chunk: Buffer<ArrayBuffer>) => {
    if (!received.add(chunk)) reject(bodyTooLarge(maxBytes));
  };
  const onEnd = () => resolve(received.bytes());
  signal.addEventListener('abort', onAbort, { once: true });
  req.on('data', onData).once('end', onEnd);
  if (waitsForContinue(req)) res.writeContinue();
  return promise
    .catch((error: unknown) => {
      received.discard();
      throw error;
    })
    .finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      req.off('data', onData).off('end', onEnd);
      if (!req.readableEnded) discardBody(req);
    });
}

/**
 * Throws away what still arrives of the request after its response, so that the client reads the response, and ends the
 * connection of a client that goes on sending.
 */
export function discardAfterResponse(req: IncomingMessage, res: ServerResponse): void {
  // Before `finish`: Node would then read the rest, for as long as it comes, and leave it to the garbage collector.
  res.once('prefinish', () => {
    if (req.complete) return;
    discardBody(req);
    const { socket } = req;
    const timer = setTimeout(() => socket.destroy(), restMs);
    req.once('close', () => clearTimeout(timer));
  });
}

function discardBody(req: IncomingMessage): void {
  if (req.listenerCount('data') === 0) req.on('data', release);
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function announcedBytes({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || length === undefined ? undefined : Number(length);
}

/** RFC 9110 §10.1.1 */
function waitsForContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.expect !== undefined;
}

function tooSlow(ms: number): ApiError {
  const detail = `body not complete within ${ms} ms`;
  return new ApiError('request_timeout', { detail, headers: { connection: 'close' } });
}

/** Collects a body in one piece of memory, because thousands of small chunks take many times their length. */
function createReceiver(announced: number | undefined, maxBytes: number) {
  let memory = Buffer.alloc(0);
  let size = 0;
  return {
    /** Returns whether the body is still within its limit. */
    add(chunk: Buffer<ArrayBuffer>): boolean {
      const end = size + chunk.length;
      if (end > maxBytes) return false;
      if (chunk.length === announced) memory = chunk;
      else {
        if (end > memory.length) memory = enlarged(memory, announced ?? Math.max(end, nextLength(memory)));
        chunk.copy(memory, size);
        release(chunk);
      }
      size = end;
      return true;
    },
    bytes: () => memory.subarray(0, size),
    discard: () => release(memory),
  };
}

function enlarged(memory: Buffer<ArrayBuffer>, length: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(length);
  memory.copy(larger);
  release(memory);
  return larger;
}

function nextLength({ length }: Buffer): number {
  return Math.max(length * 2, firstBytes);
}

/** Frees the memory now: the garbage collector would first let tens of megabytes gather. */
function release({ buffer, byteLength }: Buffer<ArrayBuffer>): void {
  // Others may use the rest of a larger buffer.
  if (byteLength > 0 && buffer.byteLength === byteLength) buffer.transfer(0);
}
