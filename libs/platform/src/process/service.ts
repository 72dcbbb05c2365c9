import type { Server } from 'node:http';
import type {
  ConsumedBy,
  EventData,
  EventType,
  OperationOf,
  ReplyInput,
  RequestData,
  RequestName,
  RequestOf,
  ServiceName,
} from '@casewatch/contracts';
import type { z } from 'zod';
import type { Delivery } from '../events/handle-event.ts';
import type { Handler } from '../http/handler.ts';
import type { Idempotency } from '../store/idempotency.ts';
import type { Database } from '../store/migrate.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Clock } from '../timing/clock.ts';
import type { Running } from '../timing/running.ts';
import type { BaseOf } from './base.ts';

/** What the tests of a service may give in place of the real thing. */
export type Overrides<O> = Partial<O> & { readonly clock?: Clock };

/** What a service makes its context from. Without a database there is no outbox either. */
export type Starting<S extends ServiceName, C, D extends Database | null = Database, O = object> = {
  readonly base: BaseOf<S, D>;
  readonly config: C;
  readonly overrides: Overrides<O>;
};

/** One file of `requests/`: answers the request, or throws ApiError. */
export type RequestHandler<N extends RequestName> = (data: RequestData<N>) => Promise<ReplyInput<N>>;

/** One file of `events/`. Core events have no delivery: NATS keeps nothing of them. */
export type AnyEventHandler<T extends EventType> = (data: EventData<T>, delivery: Delivery) => Promise<void>;

/** A service as a value: it says what it has, and the chassis starts and stops it (start.ts). */
export type Service<S extends ServiceName, Z extends z.ZodObject, D extends Database | null, X, O> = {
  readonly name: S;
  /** Its settings: one described schema. */
  readonly config: Z;
  /** Its collections, indexes and migrations; null where it stores nothing. */
  readonly database: D;
  /** Makes what every handler works with: stores, clients, settings. What has to be closed is given to `base.onStop`. */
  context(starting: Starting<S, z.output<Z>, D, O>): X | Promise<X>;
  /** A handler for each of its operations; or a server of its own, where it is what the outside talks to. */
  readonly http: OperationHandlers<S, X> | ((ctx: X) => Server);
  /** A handler for each request that any replica answers. The holder of a lease serves its own in the loop that holds it. */
  readonly requests: { readonly [N in RequestOf<S>]: (ctx: X) => RequestHandler<N> };
  /** A handler for each event that it consumes (libs/contracts, events/registry.ts). */
  readonly events: { readonly [T in ConsumedBy<S>]: (ctx: X) => AnyEventHandler<T> };
  /** What runs by itself from start to stop. All loops stop at the same time. */
  readonly loops: readonly ((ctx: X) => Running)[];
};

/** A handler for each operation that a service answers. */
export type OperationHandlers<S extends ServiceName, X> = {
  readonly [N in OperationOf<S>]: (ctx: X) => Handler<N>;
};

/** What the chassis itself needs of a context: creations with an Idempotency-Key are remembered by it. */
export type WithIdempotency = { readonly log: Logger; readonly idempotency?: Idempotency };

/**
 * Declares a service. A missing or superfluous operation, request or event does not compile.
 * `O`: what tests may override, besides the clock.
 */
export function defineService<
  S extends ServiceName,
  Z extends z.ZodObject,
  D extends Database | null,
  X extends WithIdempotency,
  O = object,
>(service: Service<S, Z, D, X, O>): Service<S, Z, D, X, O> {
  return service;
}
