import type { Principal } from '@casewatch/contracts';
import type { Response } from 'express';
import type { CallContext } from '../telemetry/logger.ts';

/** What is known about a request: `res.locals` of Express. */
export type Locals = {
  context: CallContext;
  /** The operation of the table, or `page` and its path. */
  operation?: string;
  principal?: Principal;
};

export function localsOf(res: Response): Locals {
  return res.locals as Locals;
}

/** Not `res.send`, which answers 304 to `If-None-Match: *`, though no operation has an ETag. */
export function sendText(res: Response, text: string): void {
  res.set('content-length', String(Buffer.byteLength(text))).end(text);
}
