import type { Principal } from '@casewatch/contracts';
import type { Response } from 'express';
import type { CallContext } from '../telemetry/logger.ts';

/** What is known about a request: `res.locals` of Express. */
export type Locals = {
  readonly context: CallContext;
  /** Headers of the response so far, names and values in turn; null when Express has them. */
  headers: string[] | null;
  /** The operation of the table, or `page` and its path. */
  operation?: string;
  principal?: Principal;
};

export function localsOf(res: Response): Locals {
  return res.locals as Locals;
}

/** Adds headers to the response. `writeHead` takes all at once, in half of the time of `setHeader`; Express sets each. */
export function addHeaders(res: Response, headers: readonly string[]): void {
  const { headers: collected } = localsOf(res);
  if (collected) collected.push(...headers);
  else setEach(res, headers);
}

/** From here on, each header is set by itself. Express and a response without a body need that. */
export function setCollectedHeaders(res: Response): void {
  const locals = localsOf(res);
  setEach(res, locals.headers ?? []);
  locals.headers = null;
}

export function sendText(res: Response, status: number, text: string): void {
  const { headers } = localsOf(res);
  res.writeHead(status, [...(headers ?? []), 'content-length', String(Buffer.byteLength(text))]);
  res.end(text);
}

/** Without a body. Node decides which statuses and methods have a length. */
export function sendEmpty(res: Response, status: number): void {
  setCollectedHeaders(res);
  res.statusCode = status;
  res.end();
}

function setEach(res: Response, headers: readonly string[]): void {
  for (let i = 0; i < headers.length; i += 2) res.setHeader(headers[i] ?? '', headers[i + 1] ?? '');
}
