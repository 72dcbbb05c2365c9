import type { Server } from 'node:http';
import type {
  ConsumedBy,
  OperationOf,
  ReplyInput,
  RequestData,
  RequestName,
  RequestOf,
  ServiceName,
} from '@casewatch/contracts';
import type { z } from 'zod';
import type { EventHandler } from '../events/handle-event.ts';
import type { Handler } from '../http/handler.ts';
import type { Idempotency } from '../store/idempotency.ts';
import type { Database } from '../store/prepare-database.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Clock } from '../timing/clock.ts';
import type { Running } from '../timing/every.ts';
import type { BaseOf } from './foundation.ts';

/**
 * `clock`: the time itself, instead of the database's. `wallClock`: the machine's own clock. `isBeside`: another service of the same
 * process measures the process.
 */
export type Overrides<O> = Partial<O> & {
  readonly clock?: Clock;
  readonly wallClock?: Clock;
  readonly isBeside?: boolean;
};

/** Without a database the base has no outbox. */
export type ContextInput<S extends ServiceName, C, D extends Database | null = Database, O = object> = {
  readonly base: BaseOf<S, D>;
  readonly config: C;
  readonly overrides: Overrides<O>;
};

export type RequestHandler<N extends RequestName> = (
  data: RequestData<N>,
  asker: ServiceName,
) => Promise<ReplyInput<N>>;

export type OperationHandlers<S extends ServiceName, X> = {
  readonly [N in OperationOf<S>]: (ctx: X) => Handler<N>;
};

type AnyContext = { readonly log: Logger; readonly idempotency?: Idempotency };

type Definition<S extends ServiceName, Z extends z.ZodObject, D extends Database | null, X, O> = {
  readonly name: S;
  readonly config: Z;
  readonly database: D;
  /** Creates the handlers' dependencies. Stop functions go to `base.onStop`. */
  context(input: ContextInput<S, z.output<Z>, D, O>): X | Promise<X>;
  /** A handler for each operation, or the service's own server. */
  readonly http: OperationHandlers<S, X> | ((ctx: X) => Server);
  /** A handler for each request that any replica answers. A lease holder's requests are served by its loop. */
  readonly requests: { readonly [N in RequestOf<S>]: (ctx: X) => RequestHandler<N> };
  readonly events: { readonly [T in ConsumedBy<S>]: (ctx: X) => EventHandler<T> };
  /** Events of one stream in progress at the same time; default 16. */
  readonly eventConcurrency?: number;
  /** Background tasks. Started last, stopped first, in parallel. `requests`: the context of requests. */
  readonly loops: readonly ((ctx: X, requests: X) => Running)[];
};

/** What a service with a database adds. */
type InBackground<D extends Database | null, X> = D extends Database
  ? {
      /**
       * The context of events and loops. `ctx`: that of requests, with the `db`, `ids` and `outbox` of the pool for background
       * work; the service makes anew what it had made of these.
       */
      inBackground(ctx: X): X;
    }
  : { inBackground?: never };

/** A defined service, without its own types. `O`: what tests may override besides the clock. */
export type Service<O = object> = {
  readonly name: ServiceName;
  readonly config: z.ZodObject;
  readonly database: Database | null;
  context(input: {
    readonly base: object;
    readonly config: object;
    readonly overrides: Overrides<O>;
  }): AnyContext | Promise<AnyContext>;
  readonly http: Readonly<Record<string, unknown>> | ((ctx: AnyContext) => Server);
  readonly requests: object;
  readonly events: object;
  readonly eventConcurrency?: number;
  readonly inBackground?: (ctx: AnyContext) => AnyContext;
  readonly loops: readonly ((ctx: AnyContext, requests: AnyContext) => Running)[];
};

/** Defines a service; start.ts starts it. A missing or unknown operation, request or event does not compile. */
export function defineService<
  S extends ServiceName,
  Z extends z.ZodObject,
  D extends Database | null,
  X extends AnyContext,
  O = object,
>(definition: Definition<S, Z, D, X, O> & InBackground<D, X>): Service<O> & { readonly database: D } {
  return definition as unknown as Service<O> & { readonly database: D };
}
