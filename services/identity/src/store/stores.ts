import { type Connection, createErasedUserStore } from '@casewatch/platform/database';
import { createAddressRequestStore } from './address-requests.ts';
import { createApiKeyStore } from './api-keys.ts';
import { createAuditStore } from './audit.ts';
import { createCalendarAddressStore } from './calendar-addresses.ts';
import { createConsoleLinkStore } from './console-links.ts';
import { createConsoleSessionStore } from './console-sessions.ts';
import {
  createEmailChangeLinkStore,
  createEmailChangeStore,
  createEmailVerificationStore,
  createVerificationReminderStore,
} from './email-links.ts';
import { createImportAnswerStore } from './import-answers.ts';
import { createKnownNetworkStore } from './known-networks.ts';
import { createLoginChallengeStore } from './login-challenges.ts';
import { createLogoStore } from './logos.ts';
import type { MailQueue, MailSignal } from './mail-queue.ts';
import { createPartnerStore } from './partners.ts';
import { createRateLimitStore } from './rate-limits.ts';
import { createReplyToRequestStore } from './reply-to-requests.ts';
import { createRevocationStore } from './revocations.ts';
import { createSecondFactorStore } from './second-factors.ts';
import { createSessionStore } from './sessions.ts';
import { createSignInStepStore } from './sign-in-steps.ts';
import { createSigningKeyStore } from './signing-keys.ts';
import { createStaffStore } from './staff.ts';
import { createStaffInvitationStore } from './staff-invitations.ts';
import { createStaffNoticeStore } from './staff-notices.ts';
import { createStaffSessionStore } from './staff-sessions.ts';
import { createUserStore } from './users.ts';
import { createWelcomeStore } from './welcomes.ts';

export type Stores = ReturnType<typeof createStores>;

export function createStores(db: Connection) {
  return {
    users: createUserStore(db),
    erasedUsers: createErasedUserStore(db),
    partners: createPartnerStore(db),
    logos: createLogoStore(db),
    apiKeys: createApiKeyStore(db),
    loginChallenges: createLoginChallengeStore(db),
    emailChanges: createEmailChangeStore(db),
    emailChangeLinks: createEmailChangeLinkStore(db),
    emailVerifications: createEmailVerificationStore(db),
    verificationReminders: createVerificationReminderStore(db),
    addressRequests: createAddressRequestStore(db),
    importAnswers: createImportAnswerStore(db),
    knownNetworks: createKnownNetworkStore(db),
    sessions: createSessionStore(db),
    consoleLinks: createConsoleLinkStore(db),
    consoleSessions: createConsoleSessionStore(db),
    audit: createAuditStore(db),
    staff: createStaffStore(db),
    staffInvitations: createStaffInvitationStore(db),
    staffNotices: createStaffNoticeStore(db),
    calendarAddresses: createCalendarAddressStore(db),
    staffSessions: createStaffSessionStore(db),
    secondFactors: createSecondFactorStore(db),
    signInSteps: createSignInStepStore(db),
    replyToRequests: createReplyToRequestStore(db),
    welcomes: createWelcomeStore(db),
    rateLimits: createRateLimitStore(db),
    revocations: createRevocationStore(db),
    signingKeys: createSigningKeyStore(db),
  };
}

export function mailQueues(stores: Stores): Record<MailSignal, MailQueue> {
  return {
    loginCodes: stores.loginChallenges.mails,
    addressRequests: stores.addressRequests.mails,
    changeMails: stores.emailChangeLinks.mails,
    verificationMails: stores.emailVerifications.mails,
    verificationReminders: stores.verificationReminders.mails,
    undoMails: stores.emailChanges.mails,
    invitations: stores.staffInvitations.mails,
    staffNotices: stores.staffNotices.mails,
    replyToMails: stores.replyToRequests.mails,
    welcomes: stores.welcomes.mails,
  };
}
