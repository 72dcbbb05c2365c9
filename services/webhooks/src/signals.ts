import type { EventEmitter } from 'node:events';
import type { ClaimedDelivery } from './store/delivery-claims.ts';

/** Messages inside this process. A signal may be lost: the sender also looks for due deliveries. */
export type Signals = EventEmitter<{
  deliveries: [deliveryIds: readonly string[]];
  /** New deliveries that intake has claimed for this process. */
  claimed: [deliveries: readonly ClaimedDelivery[]];
  endpoint: [webhookId: number];
  replay: [];
  erased: [userIds: readonly number[]];
}>;
