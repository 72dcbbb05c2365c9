import { hash } from 'node:crypto';
import type { Caller, OperationName } from '@casewatch/contracts';
import { z } from 'zod';
import { ApiError } from '../errors.ts';
import { createMac, type KeyRing } from '../secrets/key-ring.ts';

const dayMs = 24 * 60 * 60 * 1000;

const content = z.object({
  after: z.tuple([z.union([z.string(), z.number(), z.null()]), z.number()]),
  bound: z.string(),
  issued_at: z.number(),
});

export type Position = z.infer<typeof content>['after'];

export type CursorScope = {
  operation: OperationName;
  caller: Caller;
  filters: unknown;
  sort: string;
  /** Lifetime of a cursor, ms; default: 24 h. */
  lifetimeMs?: number;
};

export type Cursors = {
  encode(scope: CursorScope, after: Position): string;
  /** @throws ApiError invalid_cursor if forged, too old, or of another list; it names the query `parameter` */
  decode(scope: CursorScope, cursor: string, parameter?: string): Position;
};

/** Opaque, signed cursors (interface.md §1, Lists). */
export function createCursors(ring: KeyRing, now: () => Date): Cursors {
  const mac = createMac(ring, 'cursors');
  return {
    encode(scope, after) {
      const body = Buffer.from(JSON.stringify({ after, bound: boundTo(scope), issued_at: now().getTime() }));
      return Buffer.concat([mac.sign(body.toString()), body]).toString('base64url');
    },
    decode(scope, cursor, parameter = 'cursor') {
      const bytes = Buffer.from(cursor, 'base64url');
      const body = bytes.subarray(16).toString();
      if (!mac.verify(body, bytes.subarray(0, 16))) throw invalid(parameter);
      const parsed = content.parse(JSON.parse(body));
      if (parsed.bound !== boundTo(scope)) throw invalid(parameter);
      const { lifetimeMs = dayMs } = scope;
      if (now().getTime() - parsed.issued_at > lifetimeMs) throw invalid(parameter);
      return parsed.after;
    },
  };
}

function boundTo({ operation, caller, filters, sort }: CursorScope): string {
  const name = caller.kind === 'user' ? `user:${caller.user_id}` : `partner:${caller.partner_id}`;
  const scope = { operation, caller: name, filters, sort };
  return hash('sha256', JSON.stringify(scope), 'base64url').slice(0, 22);
}

function invalid(parameter: string): ApiError {
  return new ApiError('invalid_cursor', {
    faults: [{ in: 'query', parameter, code: 'invalid_cursor', message: 'start again without a cursor' }],
  });
}

type List<R> = {
  cursors: Cursors;
  scope: CursorScope;
  cursor: string | undefined;
  parameter?: string;
  limit: number;
  read(after: Position | null, limit: number): Promise<R[]>;
  positionOf(row: R): Position;
};

export type Page = { has_more: boolean; next_cursor: string | null };

/** Reads one row more than the page, to see whether there is another page. @throws ApiError invalid_cursor */
export async function readPage<R>(list: List<R>): Promise<{ rows: R[]; page: Page }> {
  const { cursors, scope, cursor, parameter, limit, read, positionOf } = list;
  const after = cursor === undefined ? null : cursors.decode(scope, cursor, parameter);
  const fetched = await read(after, limit + 1);
  const rows = fetched.slice(0, limit);
  const last = fetched.length > limit ? rows.at(-1) : undefined;
  const next_cursor = last ? cursors.encode(scope, positionOf(last)) : null;
  return { rows, page: { has_more: last !== undefined, next_cursor } };
}
