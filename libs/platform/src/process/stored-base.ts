import type { ServiceName } from '@casewatch/contracts';
import type { Meter } from '@opentelemetry/api';
import { applyErasures } from '../events/apply-erasures.ts';
import { startConsumers } from '../events/consume.ts';
import { createEventCounts } from '../events/event-counts.ts';
import { measureOutbox } from '../outbox/metrics.ts';
import { createOutbox } from '../outbox/outbox.ts';
import { startRelay, wakeRelay } from '../outbox/relay.ts';
import { createIds } from '../store/ids.ts';
import type { Connection } from '../store/mongo.ts';
import { measureMongo } from '../store/mongo-metrics.ts';
import type { Base, Foundation } from './foundation.ts';
import { openDatabase } from './open-database.ts';
import { createServiceState } from './service-state.ts';

type DatabaseOptions = Parameters<typeof openDatabase>[0];
type Options = Omit<DatabaseOptions, 'settings'> & {
  settings: DatabaseOptions['settings'] & { EVENTS_RETRY_SCALE?: number | undefined };
  meter: Meter;
};

/** Opens the database of a service. `addTo` adds what needs it: ids, outbox, relay, durable consumers. */
export async function openStoredBase({ meter, ...options }: Options) {
  const db = await openDatabase(options);
  measureMongo(meter, db);
  return {
    isConnected: () => db.readyState === 1,
    close: () => db.close(),
    addTo: <S extends ServiceName>(foundation: Foundation<S>): Base<S> =>
      addStore(foundation, db, options.settings.EVENTS_RETRY_SCALE),
  };
}

function addStore<S extends ServiceName>(foundation: Foundation<S>, db: Connection, retryScale = 1): Base<S> {
  const { service, log, bus, clock, meter, onStop } = foundation;
  measureOutbox({ meter, connection: db, clock, log });
  const shared = { service, connection: db, bus, log };
  const counts = createEventCounts();
  return {
    ...foundation,
    db,
    ids: createIds(db),
    outbox: createOutbox(service, db, clock.now, () => wakeRelay(bus, log)),
    startPublishing: () => onStop(startRelay(shared).stop),
    applyErasures: (handlers) => applyErasures({ ...shared, clock, retryScale, handlers }),
    consume: (handlers, concurrency) =>
      onStop(
        startConsumers({
          ...shared,
          clock,
          retryScale,
          meter,
          counts,
          handlers,
          ...(concurrency !== undefined && { concurrency }),
        }).stop,
      ),
    serviceState: createServiceState({ ...shared, clock, counts }),
  };
}
