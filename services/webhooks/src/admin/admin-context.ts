import { EventEmitter } from 'node:events';
import { systemClock } from '@casewatch/platform';
import { type Connection, createIds, createOutbox } from '@casewatch/platform/database';
import type { Signals } from '../signals.ts';
import { createStores } from '../store/stores.ts';

export type AdminContext = ReturnType<typeof createAdminContext>;

/** What a command needs: the database alone. */
export function createAdminContext(db: Connection) {
  // Nobody listens here: the running replicas find what changed.
  const signals: Signals = new EventEmitter();
  // One id at a time: operators type the ids of tasks.
  const outbox = createOutbox('webhooks', db, systemClock.now);
  return { db, stores: createStores(db), clock: systemClock, ids: createIds(db, 1), outbox, signals };
}
