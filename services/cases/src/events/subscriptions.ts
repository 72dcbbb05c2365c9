import type { EventHandlers } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { onCheckOverdue } from './on-check-overdue.ts';
import { onMonitoringChanged } from './on-monitoring-changed.ts';
import { onNotificationUpdated } from './on-notification-updated.ts';
import { onStatusUpdated } from './on-status-updated.ts';
import { onUserChanged } from './on-user-changed.ts';
import { onUserDeleted } from './on-user-deleted.ts';

/** The durable events that cases consumes; `status.checked` comes over core NATS (service.ts). */
export function subscriptions(ctx: Context): EventHandlers {
  return {
    'status.updated': onStatusUpdated(ctx),
    'status.monitoring_changed': onMonitoringChanged(ctx),
    'status.check_overdue': onCheckOverdue(ctx),
    'notification.updated': onNotificationUpdated(ctx),
    'user.created': onUserChanged(ctx),
    'user.updated': onUserChanged(ctx),
    'user.email_verified': onUserChanged(ctx),
    'user.deleted': onUserDeleted(ctx),
  };
}
