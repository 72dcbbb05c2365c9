import type { ServiceName } from '@casewatch/contracts';
import type { Meter } from '@opentelemetry/api';
import type { AuditLog } from '../audit/record-call.ts';
import type { Bus } from '../bus/bus.ts';
import type { EventHandlers } from '../events/handle-event.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Ids } from '../store/ids.ts';
import type { Database } from '../store/prepare-database.ts';
import type { Connection } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Clock } from '../timing/clock.ts';
import type { FollowedClock } from '../timing/followed-clock.ts';
import type { Metrics } from './prometheus.ts';
import type { ReadServiceState } from './service-state.ts';

export type Foundation<S extends ServiceName> = {
  readonly service: S;
  readonly log: Logger;
  readonly meter: Meter;
  readonly metricsPort: number | undefined;
  readonly addOperatorFile: Metrics['addFile'];
  /** The time of the service's own database; in the gateway, which has none, of identity's. */
  readonly clock: Clock;
  /** What `clock` is made of: the gateway gives it its readings. */
  readonly followedClock: FollowedClock;
  /** The machine's own clock. It decides nothing; near the change of a day it can say that nothing is certain. */
  readonly wallClock: Clock;
  /**
   * Undefined while the time is known. Otherwise the machine was suspended: resolves when the time is read again.
   * @throws ApiError service_unavailable
   */
  measured(): Promise<void> | undefined;
  readonly bus: Bus;
  /** True after the first declaration: in a later outage 503 is better than no ready replica. */
  ready(): Promise<boolean>;
  /** The last registered function runs first. */
  onStop(stop: () => Promise<void>): void;
  stop(): Promise<void>;
};

export type Base<S extends ServiceName> = Foundation<S> & {
  readonly db: Connection;
  readonly ids: Ids;
  readonly outbox: Outbox<S>;
  /** The same for events and loops, which have a pool of connections of their own. */
  readonly background: Pick<Base<S>, 'db' | 'ids' | 'outbox'>;
  /** Records of what callers did; undefined in a service without operations of partners. */
  readonly audit: AuditLog | undefined;
  /** The connection of leases. */
  readonly leases: Connection;
  startPublishing(): void;
  /** Handles the erasures that wait, before anything else begins. */
  applyErasures(handlers: EventHandlers): Promise<void>;
  /** Starts the durable consumers; called when the handlers' dependencies are ready. */
  consume(handlers: EventHandlers, concurrency?: number): void;
  /** The part of `<service>.state` that all services have. */
  readonly serviceState: ReadServiceState;
};

export type BaseOf<S extends ServiceName, D extends Database | null> = D extends null
  ? Foundation<S>
  : Base<S>;
