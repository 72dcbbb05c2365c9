import type { EventEmitter } from 'node:events';
import type { ClaimedDelivery } from './store/delivery-claims.ts';

/** Messages inside this process. A signal may be lost: the sender also looks for due deliveries. */
export type Signals = EventEmitter<{
  /** New deliveries, which are due. */
  deliveries: [deliveryIds: readonly string[]];
  /** New deliveries that intake has claimed for this process. */
  claimed: [deliveries: readonly ClaimedDelivery[]];
  /** An endpoint was changed or deleted. */
  endpoint: [webhookId: number];
  /** The deliveries of these users were cancelled. */
  erased: [userIds: readonly number[]];
}>;
