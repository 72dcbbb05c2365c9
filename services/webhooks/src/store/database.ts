import { type Database, prepareIdempotency } from '@casewatch/platform';
import { createDeliveryStore } from './deliveries.ts';
import { createErasedUserStore } from './erased-users.ts';
import { createEventStore } from './events.ts';
import { createPartnerStore } from './partners.ts';
import { createWebhookStore } from './webhooks.ts';

/** Webhooks' database: its collections, and what has changed in them since the first release, in order. */
export const database: Database = {
  migrations: [],
  async prepare(db) {
    for (const createStore of [
      createWebhookStore,
      createPartnerStore,
      createEventStore,
      createDeliveryStore,
      createErasedUserStore,
    ])
      await createStore(db).prepare();
    await prepareIdempotency(db);
  },
};
