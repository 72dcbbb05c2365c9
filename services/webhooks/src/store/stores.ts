import type { Connection } from '@casewatch/platform';
import { createDeliveryStore } from './deliveries.ts';
import { createErasedUserStore } from './erased-users.ts';
import { createEventListStore } from './event-lists.ts';
import { createEventStore } from './events.ts';
import { createPartnerStore } from './partners.ts';
import { createWebhookHealthStore } from './webhook-health.ts';
import { createWebhookStore } from './webhooks.ts';

export type Stores = ReturnType<typeof createStores>;

export function createStores(db: Connection) {
  return {
    webhooks: createWebhookStore(db),
    webhookHealth: createWebhookHealthStore(db),
    partners: createPartnerStore(db),
    events: createEventStore(db),
    eventLists: createEventListStore(db),
    deliveries: createDeliveryStore(db),
    erasedUsers: createErasedUserStore(db),
  };
}
