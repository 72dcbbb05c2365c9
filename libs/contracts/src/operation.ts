import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Principal, Scope } from './principal.ts';
import type { ServiceName } from './services.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * One row of the operation table: the source of routing, validation, documents and the authorisation matrix.
 * `who` names the kinds of caller that are let in; `anonymous` means that credentials are not needed.
 */
export type Operation = {
  readonly service: ServiceName;
  readonly method: Method;
  /** `/v1/users/{user_id}`: parameters in braces, named as in `params`. */
  readonly path: string;
  readonly summary: string;
  /** What the summary does not tell; sentences of the description in the documents. */
  readonly note?: string;
  readonly who: readonly Principal['kind'][];
  /** The scope that a partner's key needs; null where no partner is let in, or any key will do. */
  readonly scope: Scope | null;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Media types of the body; `application/json` unless said otherwise. */
  readonly consumes?: readonly ('application/json' | 'application/x-www-form-urlencoded')[];
  readonly success: { readonly status: 200 | 201 | 202 | 204; readonly body: z.ZodType | null };
  /** What it answers to somebody unknown, where that is not `success` (interface.md §4, create user). */
  readonly toAnonymous?: { readonly status: 202; readonly body: z.ZodType };
  /** Browsers (`Accept: text/html`) get a page instead. */
  readonly page?: true;
  /** A creation that takes an Idempotency-Key (interface.md §1). */
  readonly idempotent?: true;
  /** A GET that changes something: HEAD then answers without running it (interface.md, Small print). */
  readonly effectOnGet?: true;
  /** The operation's own errors; what holds everywhere is not repeated. */
  readonly errors: readonly ErrorCode[];
  /** How long the gateway waits, ms. 2,500 unless a live check is waited for (quality.md I8). */
  readonly deadlineMs: number;
};

/** Longest wait of an ordinary operation, ms (quality.md, I8). */
export const ordinaryDeadlineMs = 2_500;

/** Longest wait of an operation that waits for a live check, ms (monitor.md, Budget). */
export const liveCheckDeadlineMs = 10_000;

type Row = Omit<Operation, 'deadlineMs'> & { readonly deadlineMs?: number };

/** Checks a row's shape while keeping its exact types, and fills in the ordinary deadline. */
export function operation<const R extends Row>(row: R): R & { readonly deadlineMs: number } {
  return { deadlineMs: ordinaryDeadlineMs, ...row };
}
