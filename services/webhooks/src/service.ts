import { defineService } from '@casewatch/platform';
import { webhooksConfig } from './config.ts';
import { createContext, inBackground } from './context.ts';
import { onCaseCreated, onCaseUpdated } from './events/on-case-changed.ts';
import { onCaseDeleted } from './events/on-case-deleted.ts';
import { onCheckOverdue } from './events/on-check-overdue.ts';
import { onErasureRecorded } from './events/on-erasure-recorded.ts';
import { onImportFinished } from './events/on-import-finished.ts';
import { onMonitoringChanged } from './events/on-monitoring-changed.ts';
import { onNotificationUpdated } from './events/on-notification-updated.ts';
import { onPartnerDeleted } from './events/on-partner-deleted.ts';
import { onPartnerUpdated } from './events/on-partner-updated.ts';
import { onStatusUpdated } from './events/on-status-updated.ts';
import { onUserChanged } from './events/on-user-changed.ts';
import { onUserDeleted } from './events/on-user-deleted.ts';
import { routes } from './http/routes.ts';
import { deliver } from './loops/deliver.ts';
import { judgeFailing } from './loops/judge-failing.ts';
import { mailOwners } from './loops/mail-owners.ts';
import { replay } from './loops/replay.ts';
import { answerFailing } from './requests/failing.ts';
import { answerFetchLogo } from './requests/fetch-logo.ts';
import { answerState } from './requests/state.ts';
import { database } from './store/database.ts';

export const webhooks = defineService({
  name: 'webhooks',
  config: webhooksConfig,
  database,
  context: createContext,
  inBackground,
  http: routes,
  requests: {
    'webhooks.state': answerState,
    'webhooks.failing': answerFailing,
    'webhooks.fetch_logo': answerFetchLogo,
  },
  events: {
    'case.created': onCaseCreated,
    'case.updated': onCaseUpdated,
    'case.deleted': onCaseDeleted,
    'import.finished': onImportFinished,
    'status.updated': onStatusUpdated,
    'status.monitoring_changed': onMonitoringChanged,
    'status.check_overdue': onCheckOverdue,
    'user.created': onUserChanged('user.created'),
    'user.updated': onUserChanged('user.updated'),
    'user.email_verified': onUserChanged('user.email_verified'),
    'user.deleted': onUserDeleted,
    'erasure.recorded': onErasureRecorded,
    'partner.updated': onPartnerUpdated,
    'partner.deleted': onPartnerDeleted,
    'notification.updated': onNotificationUpdated,
  },
  eventConcurrency: 256,
  loops: [deliver, replay, judgeFailing, mailOwners],
});
