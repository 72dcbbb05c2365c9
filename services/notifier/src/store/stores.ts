import type { Connection } from '@casewatch/platform/database';
import { createAddressSuppressionStore } from './address-suppressions.ts';
import { createDigestStore } from './digests.ts';
import { createMailStore } from './mails.ts';
import { createNotificationStore } from './notifications.ts';
import { createProviderEventStore } from './provider-events.ts';
import { createRecipientStore } from './recipients.ts';
import { createSuppressionStore } from './suppressions.ts';
import { createStaffTombstoneStore, createTombstoneStore } from './tombstones.ts';

export type Stores = ReturnType<typeof createStores>;

export function createStores(db: Connection) {
  return {
    notifications: createNotificationStore(db),
    recipients: createRecipientStore(db),
    digests: createDigestStore(db),
    mails: createMailStore(db),
    tombstones: createTombstoneStore(db),
    staffTombstones: createStaffTombstoneStore(db),
    providerEvents: createProviderEventStore(db),
    addressSuppressions: createAddressSuppressionStore(db),
    suppressions: createSuppressionStore(db),
  };
}
