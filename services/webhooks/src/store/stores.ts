import { type Connection, createErasedUserStore } from '@casewatch/platform/database';
import { createDeliveryStore } from './deliveries.ts';
import { createReplayStore } from './delivery-replays.ts';
import { createEventListStore } from './event-lists.ts';
import { createEventStore } from './events.ts';
import { createOverdueStore } from './overdue.ts';
import { createPartnerStore } from './partners.ts';
import { createStatisticsStore } from './statistics.ts';
import { createSubscriptions } from './subscriptions.ts';
import { createTaskStore } from './tasks.ts';
import { createWebhookHealthStore } from './webhook-health.ts';
import { createWebhookStore } from './webhooks.ts';

export type Stores = ReturnType<typeof createStores>;

export function createStores(db: Connection) {
  const webhooks = createWebhookStore(db);
  const partners = createPartnerStore(db);
  return {
    webhooks,
    webhookHealth: createWebhookHealthStore(db),
    partners,
    subscriptions: createSubscriptions(db, partners, webhooks),
    events: createEventStore(db),
    eventLists: createEventListStore(db),
    deliveries: createDeliveryStore(db),
    statistics: createStatisticsStore(db),
    overdue: createOverdueStore(db),
    replays: createReplayStore(db),
    tasks: createTaskStore(db),
    erasedUsers: createErasedUserStore(db),
  };
}
