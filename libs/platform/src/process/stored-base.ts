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
import type { Logger } from '../telemetry/logger.ts';
import type { FollowedClock, Moment } from '../timing/followed-clock.ts';
import { type DatabaseClock, startDatabaseClock } from './database-clock.ts';
import type { Base, Foundation } from './foundation.ts';
import { openDatabase } from './open-database.ts';
import { createServiceState } from './service-state.ts';

type Options = Parameters<typeof openDatabase>[0] & {
  meter: Meter;
  moment: () => Moment;
  /** A clock that is used instead of the database's. */
  given: FollowedClock | undefined;
};

/** Opens the database of a service. `addTo` adds what needs it: ids, outbox, relay, durable consumers. */
export async function openStoredBase({ meter, moment, given, ...options }: Options) {
  const db = await openDatabase(options);
  measureMongo(meter, db);
  const { log } = options;
  const followed = given ? null : await followDatabase(db, log, moment);
  return {
    followed,
    isConnected: () => db.readyState === 1,
    close: async () => {
      const stopped = followed?.stop();
      // A heartbeat that hangs ends with the connection.
      await db.close();
      await stopped;
    },
    addTo: <S extends ServiceName>(foundation: Foundation<S>): Base<S> => addStore(foundation, db),
  };
}

async function followDatabase(db: Connection, log: Logger, moment: () => Moment): Promise<DatabaseClock> {
  try {
    return await startDatabaseClock({ connection: db, log, moment });
  } catch (error) {
    await db.close();
    throw error;
  }
}

function addStore<S extends ServiceName>(foundation: Foundation<S>, db: Connection): Base<S> {
  const { service, log, bus, clock, meter, onStop } = foundation;
  measureOutbox({ meter, connection: db, clock, log });
  const shared = { service, connection: db, bus, log, clock };
  const counts = createEventCounts();
  return {
    ...foundation,
    db,
    ids: createIds(db),
    outbox: createOutbox(service, db, clock.now, () => wakeRelay(bus, log)),
    startPublishing: () => onStop(startRelay(shared).stop),
    applyErasures: (handlers) => applyErasures({ ...shared, handlers }),
    consume: (handlers, concurrency) =>
      onStop(
        startConsumers({
          ...shared,
          meter,
          counts,
          handlers,
          ...(concurrency !== undefined && { concurrency }),
        }).stop,
      ),
    serviceState: createServiceState({ ...shared, counts }),
  };
}
