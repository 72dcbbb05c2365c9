import type { Base, Cursors, Idempotency, SecretBox } from '@casewatch/platform';
import type { EndpointClient } from './clients/endpoint.ts';
import type { PublicAddresses } from './clients/public-addresses.ts';
import type { WebhooksConfig } from './config.ts';
import type { DeliveryStore } from './store/deliveries.ts';
import type { ErasedUserStore } from './store/erased-users.ts';
import type { EventStore } from './store/events.ts';
import type { PartnerStore } from './store/partners.ts';
import type { WebhookStore } from './store/webhooks.ts';

/** Randomness, as a parameter. */
export type Random = {
  bytes(count: number): Buffer;
  /** From 0 to 1. */
  fraction(): number;
};

/** What wakes the sender (loops/deliver.ts). */
export type Deliverer = {
  /** New deliveries, due at once, just committed. */
  offer(deliveryIds: readonly string[]): void;
  /** The endpoint's settings changed, or it is gone: what is remembered of it does not hold. */
  forget(webhookId: number): void;
};

export type Stores = {
  webhooks: WebhookStore;
  partners: PartnerStore;
  events: EventStore;
  deliveries: DeliveryStore;
  erasedUsers: ErasedUserStore;
  idempotency: Idempotency;
};

/** What the sender needs. */
export type SendingContext = Pick<Base<'webhooks'>, 'log' | 'clock' | 'db' | 'outbox'> & {
  readonly config: WebhooksConfig;
  readonly stores: Stores;
  readonly random: Random;
  readonly box: SecretBox;
  readonly endpoint: EndpointClient;
};

/** What operations and event handlers work with. */
export type Context = SendingContext &
  Pick<Base<'webhooks'>, 'bus' | 'ids'> & {
    readonly cursors: Cursors;
    readonly addresses: PublicAddresses;
    readonly deliverer: Deliverer;
  };
