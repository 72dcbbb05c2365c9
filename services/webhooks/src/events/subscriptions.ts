import type { EventHandlers } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { onCaseChanged } from './on-case-changed.ts';
import { onCaseDeleted } from './on-case-deleted.ts';
import { onCheckOverdue } from './on-check-overdue.ts';
import { onMonitoringChanged } from './on-monitoring-changed.ts';
import { onNotificationUpdated } from './on-notification-updated.ts';
import { onPartnerUpdated } from './on-partner-updated.ts';
import { onStatusUpdated } from './on-status-updated.ts';
import { onUserChanged } from './on-user-changed.ts';
import { onUserDeleted } from './on-user-deleted.ts';

/** What this service consumes (events registry). */
export function subscriptions(ctx: Context): EventHandlers {
  return {
    'case.created': onCaseChanged(ctx, 'case.created'),
    'case.updated': onCaseChanged(ctx, 'case.updated'),
    'case.deleted': onCaseDeleted(ctx),
    'status.updated': onStatusUpdated(ctx),
    'status.monitoring_changed': onMonitoringChanged(ctx),
    'status.check_overdue': onCheckOverdue(ctx),
    'user.created': onUserChanged(ctx, 'user.created'),
    'user.updated': onUserChanged(ctx, 'user.updated'),
    'user.email_verified': onUserChanged(ctx, 'user.email_verified'),
    'user.deleted': onUserDeleted(ctx),
    'partner.updated': onPartnerUpdated(ctx),
    'notification.updated': onNotificationUpdated(ctx),
  };
}
