import type { Connection } from '@casewatch/platform/database';
import { createAddressSuppressionStore } from './address-suppressions.ts';
import { createAlertTurnStore } from './alert-turns.ts';
import { createAlertStore } from './alerts.ts';
import { createDigestStore } from './digests.ts';
import { createFirmNewsStore } from './firm-news.ts';
import { createMailStore, createMemberMailStore } from './mails.ts';
import { createNotificationStore } from './notifications.ts';
import { createProviderEventStore } from './provider-events.ts';
import { createRecipientStore } from './recipients.ts';
import { createSuppressionStore } from './suppressions.ts';
import {
  createPartnerTombstoneStore,
  createStaffTombstoneStore,
  createTombstoneStore,
} from './tombstones.ts';

export type Stores = ReturnType<typeof createStores>;

export function createStores(db: Connection) {
  return {
    notifications: createNotificationStore(db),
    recipients: createRecipientStore(db),
    digests: createDigestStore(db),
    mails: createMailStore(db),
    memberMails: createMemberMailStore(db),
    firmNews: createFirmNewsStore(db),
    alerts: createAlertStore(db),
    alertTurns: createAlertTurnStore(db),
    tombstones: createTombstoneStore(db),
    staffTombstones: createStaffTombstoneStore(db),
    partnerTombstones: createPartnerTombstoneStore(db),
    providerEvents: createProviderEventStore(db),
    addressSuppressions: createAddressSuppressionStore(db),
    suppressions: createSuppressionStore(db),
  };
}
