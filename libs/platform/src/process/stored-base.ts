import type { ServiceName } from '@casewatch/contracts';
import type { Meter } from '@opentelemetry/api';
import { type AuditedService, createAuditLog, isAudited } from '../audit/audit-log.ts';
import { applyErasures } from '../events/apply-erasures.ts';
import { startConsumers } from '../events/consume.ts';
import { createEventCounts } from '../events/event-counts.ts';
import { measureOutbox } from '../outbox/metrics.ts';
import { createOutbox, type Outbox } from '../outbox/outbox.ts';
import { startRelay, wakeRelay } from '../outbox/relay.ts';
import { createIds } from '../store/ids.ts';
import { measureMongo } from '../store/mongo-metrics.ts';
import type { FollowedClock, Moment } from '../timing/followed-clock.ts';
import { startDatabaseClock } from './database-clock.ts';
import type { Base, Foundation } from './foundation.ts';
import { openPools, type Pools } from './open-database.ts';
import { createServiceState } from './service-state.ts';

type PoolOptions = Parameters<typeof openPools>[0];
type Options = Omit<PoolOptions, 'settings'> & {
  settings: PoolOptions['settings'] & { EVENTS_RETRY_SCALE?: number | undefined };
  meter: Meter;
  moment: () => Moment;
  /** A clock that is used instead of the database's. */
  given: FollowedClock | undefined;
};

/** Opens the database of a service. `addTo` adds what needs it: ids, outbox, relay, durable consumers. */
export async function openStoredBase({ meter, moment, given, ...options }: Options) {
  const pools = await openPools(options);
  measureMongo(meter, pools);
  const closePools = async () => {
    await Promise.all(Object.values(pools).map((connection) => connection.close()));
  };
  // Its heartbeat, like a lease, waits behind no work.
  const follow = () => startDatabaseClock({ connection: pools.leases, log: options.log, moment });
  const followed = given
    ? null
    : await follow().catch(async (error: unknown) => {
        await closePools();
        throw error;
      });
  return {
    followed,
    isConnected: () => pools.requests.readyState === 1,
    close: async () => {
      const stopped = followed?.stop();
      // A heartbeat that hangs ends with the connection.
      await closePools();
      await stopped;
    },
    addTo: <S extends ServiceName>(foundation: Foundation<S>): Base<S> =>
      addStore(foundation, pools, options.settings.EVENTS_RETRY_SCALE),
  };
}

function addStore<S extends ServiceName>(
  foundation: Foundation<S>,
  { requests, background, leases }: Pools,
  retryScale = 1,
): Base<S> {
  const { service, log, bus, clock, meter, onStop } = foundation;
  measureOutbox({ meter, connection: requests, clock, log });
  // One block for both, so that what is made later has the higher id.
  const ids = createIds(requests);
  const on = (db: Pools[keyof Pools]) => ({
    db,
    ids,
    outbox: createOutbox(service, db, clock.now, () => wakeRelay(bus, log)),
  });
  const shared = { service, connection: background, leases, bus, log, clock };
  const counts = createEventCounts();
  const [onRequest, inBackground] = [on(requests), on(background)];
  const audit = isAudited(service)
    ? createAuditLog({
        service,
        requests: onRequest.outbox as unknown as Outbox<AuditedService>,
        background: { db: background, outbox: inBackground.outbox as unknown as Outbox<AuditedService> },
        log,
      })
    : undefined;
  if (audit) onStop(audit.stop);
  return {
    ...foundation,
    ...onRequest,
    background: inBackground,
    audit,
    leases,
    startPublishing: () => onStop(startRelay(shared).stop),
    applyErasures: (handlers) => applyErasures({ ...shared, retryScale, handlers }),
    consume: (handlers, concurrency) =>
      onStop(
        startConsumers({
          ...shared,
          retryScale,
          meter,
          counts,
          handlers,
          ...(concurrency !== undefined && { concurrency }),
        }).stop,
      ),
    serviceState: createServiceState({ ...shared, connection: requests, counts }),
  };
}
