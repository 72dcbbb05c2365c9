import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Principal, Scope, StaffRole } from './principal.ts';
import type { ServiceName } from './services.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The source of routing, validation, documents and the authorisation matrix. */
export type Operation = {
  readonly service: ServiceName;
  readonly method: Method;
  /** `/v1/users/{user_id}`: parameters in braces, named as in `params`. */
  readonly path: string;
  readonly summary: string;
  /** Description in the documents. */
  readonly note?: string;
  readonly who: readonly Principal['kind'][];
  /** Scope of a partner key; null: none required, or no partner. */
  readonly scope: Scope | null;
  /** Least role of a member of staff (firm.md §1), where partners are let in. */
  readonly role?: StaffRole;
  /** A member of staff must have signed in within the last 15 minutes. */
  readonly isSensitive?: true;
  /**
   * How the call is recorded for the partner (firm.md §2): `effect` in the transaction that has the effect, `outside` before the
   * answer, `read` of personal data shortly after it. Without it, nothing is recorded but a refusal.
   */
  readonly recorded?: 'effect' | 'outside' | 'read';
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Default: `application/json`. */
  readonly consumes?: readonly (
    | 'application/json'
    | 'application/x-www-form-urlencoded'
    | 'text/csv'
    | 'text/plain'
  )[];
  /** Of a body that may be larger than others, bytes. It also has more time to arrive. A file (`text/csv`) is read by the handler. */
  readonly maxBodyBytes?: number;
  /** Headers of a provider's signature: the gateway passes them on, and refuses a request without any of them. */
  readonly signatureHeaders?: readonly string[];
  /** The body is JSON with a signature over its bytes; the handler verifies and parses it. */
  readonly signedBody?: { readonly maxBytes: number };
  /** A body of any type, and any `Accept`, are taken: the body is not read (RFC 8058: mail programs choose both). */
  readonly anyBody?: true;
  readonly success: { readonly status: 200 | 201 | 202 | 204; readonly body: z.ZodType | null };
  /** Response to callers without credentials, if it differs (interface.md §4, create user). */
  readonly toAnonymous?: { readonly status: 202; readonly body: z.ZodType };
  /** The answer is a file of this name and type, which is written while it is read; the path says so, and any `Accept` is taken. */
  readonly file?: { readonly name: string; readonly type: 'text/csv' };
  /** Browsers (`Accept: text/html`) get a page, also for each error of the path. */
  readonly page?: true;
  /** Accepts an Idempotency-Key (interface.md §1). */
  readonly idempotent?: true;
  /** A GET with an effect: HEAD answers without it (interface.md, Small print). */
  readonly effectOnGet?: true;
  /** Without the errors of every operation. */
  readonly errors: readonly ErrorCode[];
  /** Timeout in the gateway, ms (quality.md I8). */
  readonly deadlineMs: number;
};

/** Longest wait of an ordinary operation, ms (quality.md, I8). */
export const ordinaryDeadlineMs = 2_500;

/** Longest wait of an operation that waits for a live check, ms (monitor.md, Budget). */
export const liveCheckDeadlineMs = 10_000;

/** Longest wait for the test of an endpoint, which can take 8 s, ms (webhooks.md, Operations). */
export const webhookTestDeadlineMs = 10_000;

type Row = Omit<Operation, 'deadlineMs'> & { readonly deadlineMs?: number };

/** Checks a row's shape while keeping its exact types, and fills in the ordinary deadline. */
export function operation<const R extends Row>(row: R): R & { readonly deadlineMs: number } {
  return { deadlineMs: ordinaryDeadlineMs, ...row };
}
