import { defineService } from '@casewatch/platform';
import { casesConfig } from './config.ts';
import { createContext } from './context.ts';
import { onCheckOverdue } from './events/on-check-overdue.ts';
import { onErasureRecorded } from './events/on-erasure-recorded.ts';
import { onMonitoringChanged } from './events/on-monitoring-changed.ts';
import { onNotificationUpdated } from './events/on-notification-updated.ts';
import { onStatusChecked } from './events/on-status-checked.ts';
import { onStatusTouched } from './events/on-status-touched.ts';
import { onStatusUpdated } from './events/on-status-updated.ts';
import { onUserChanged } from './events/on-user-changed.ts';
import { onUserDeleted } from './events/on-user-deleted.ts';
import { routes } from './http/routes.ts';
import { answerActive } from './requests/active.ts';
import { answerCases } from './requests/cases.ts';
import { answerCount } from './requests/count.ts';
import { answerState } from './requests/state.ts';
import { database } from './store/database.ts';

export const cases = defineService({
  name: 'cases',
  config: casesConfig,
  database,
  context: createContext,
  http: routes,
  requests: {
    'cases.active': answerActive,
    'cases.cases': answerCases,
    'cases.count': answerCount,
    'cases.state': answerState,
  },
  events: {
    'status.updated': onStatusUpdated,
    'status.touched': onStatusTouched,
    'status.monitoring_changed': onMonitoringChanged,
    'status.check_overdue': onCheckOverdue,
    'status.checked': onStatusChecked,
    'notification.updated': onNotificationUpdated,
    'user.created': onUserChanged,
    'user.updated': onUserChanged,
    'user.email_verified': onUserChanged,
    'user.deleted': onUserDeleted,
    'erasure.recorded': onErasureRecorded,
  },
  eventConcurrency: 128,
  loops: [],
});
