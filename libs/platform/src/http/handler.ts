import type {
  Body,
  CallerOf,
  Language,
  OperationName,
  OperationOf,
  Params,
  Query,
  ServiceName,
  Success,
} from '@casewatch/contracts';
import type { Session } from '../store/mongo.ts';

/** What a handler answers: the operation's success, or a page for a browser. */
export type Answer<N extends OperationName> = {
  body?: Success<N>;
  page?: string;
  status?: number;
  headers?: Record<string, string>;
};

/** One operation's code: parsed call in, answer out; failures are thrown as ApiError. */
export type Handler<N extends OperationName> = (call: Call<N>) => Promise<Answer<N>>;

/** Every operation of a service has a handler; a missing one does not compile. */
export type Handlers<S extends ServiceName> = { [N in OperationOf<S>]: Handler<N> };

/**
 * Remembers a creation's answer for its Idempotency-Key, in the effect's own transaction; does nothing where the caller sent
 * none. `userId`: the user whose erasure erases the answer too.
 */
export type Remember<N extends OperationName = OperationName> = (
  session: Session,
  answer: Answer<N>,
  userId?: number | null,
) => Promise<void>;

/** One call of an operation, parsed: what a handler works with. */
export type Call<N extends OperationName> = {
  /** Who calls: one of the kinds that the operation's row lets in. */
  readonly caller: CallerOf<N>;
  /** The caller's network address. */
  readonly address: string;
  readonly params: Params<N>;
  readonly query: Query<N>;
  readonly body: Body<N>;
  /** The language that the caller likes best of those that we write (RFC 9110 §12.5.4); English where they name none. */
  readonly language: Language;
  /** Whether the caller is a browser that asks for a page (`Accept: text/html`). */
  readonly wantsPage: boolean;
  /** Whether the caller names `application/json` itself, not by a wildcard, and is no browser that fetches ahead. */
  readonly isProgram: boolean;
  header(name: string): string | undefined;
  /** Path and query as the client sent them to the gateway. */
  readonly url: string;
  /** Creations call this within their transaction, once their answer is made (rows marked `idempotent`). */
  readonly remember: Remember<N>;
};
