import type { Connection } from '@casewatch/platform';
import { createDeliveryStore } from './deliveries.ts';
import { createErasedUserStore } from './erased-users.ts';
import { createEventStore } from './events.ts';
import { createPartnerStore } from './partners.ts';
import { createSubscriptions } from './subscriptions.ts';
import { createWebhookStore } from './webhooks.ts';

export type Stores = ReturnType<typeof createStores>;

export function createStores(db: Connection) {
  const webhooks = createWebhookStore(db);
  const partners = createPartnerStore(db);
  return {
    webhooks,
    partners,
    subscriptions: createSubscriptions(db, partners, webhooks),
    events: createEventStore(db),
    deliveries: createDeliveryStore(db),
    erasedUsers: createErasedUserStore(db),
  };
}
