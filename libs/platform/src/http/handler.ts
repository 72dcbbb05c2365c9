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
import type { PersonKey } from '../store/idempotency.ts';
import type { Session } from '../store/mongo.ts';

export type Answer<N extends OperationName> = {
  body?: Success<N>;
  /** The body as JSON text, instead of `body`. */
  json?: string;
  page?: string;
  /** The parts of a file (rows with `file`), which are read while they are sent. */
  file?: AsyncIterable<string>;
  status?: number;
  headers?: Record<string, string>;
};

export type Handler<N extends OperationName> = (call: Call<N>) => Promise<Answer<N>>;

export type Handlers<S extends ServiceName> = { [N in OperationOf<S>]: Handler<N> };

/** Stores a creation's answer for its Idempotency-Key, if there is one, in the same transaction; erased with `person`. */
export type Remember<N extends OperationName = OperationName> = (
  session: Session,
  answer: Answer<N>,
  person?: PersonKey | null,
) => Promise<void>;

export type Call<N extends OperationName> = {
  readonly caller: CallerOf<N>;
  /** Network address of the caller. */
  readonly address: string;
  readonly params: Params<N>;
  readonly query: Query<N>;
  readonly body: Body<N>;
  /** The body of a row with `signedBody`, or a file; then `body` is empty. */
  readonly bytes: Buffer;
  /** The best supported language of `Accept-Language` (RFC 9110 §12.5.4); default English. */
  readonly language: Language;
  readonly wantsPage: boolean;
  /** `Accept` names `application/json` without a wildcard, and the request is no prefetch. */
  readonly isProgram: boolean;
  header(name: string): string | undefined;
  /** Path and query as the client sent them to the gateway. */
  readonly url: string;
  /** Called in the transaction of a creation (rows marked `idempotent`). */
  readonly remember: Remember<N>;
};
