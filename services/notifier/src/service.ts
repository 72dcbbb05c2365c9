import { defineService } from '@casewatch/platform';
import { notifierConfig } from './config.ts';
import { createContext, inBackground } from './context.ts';
import { onPartnerDeleted } from './events/on-partner-deleted.ts';
import { onStaffDeleted } from './events/on-staff-deleted.ts';
import { onStatusUpdated } from './events/on-status-updated.ts';
import { onErasureRecorded, onUserDeleted } from './events/on-user-deleted.ts';
import { answerOfStaff } from './firm/answer-of-staff.ts';
import { answerUnreached } from './firm/answer-unreached.ts';
import { gatherAlerts } from './firm/gather-alerts.ts';
import { planDigests } from './firm/plan-digests.ts';
import { planNews } from './firm/plan-news.ts';
import { onCaseCreated, onCaseUpdated } from './firm/take-dates.ts';
import { onCheckOverdue, onMonitoringChanged } from './firm/take-news.ts';
import { routes } from './http/routes.ts';
import { measureTemplates } from './loops/measure-templates.ts';
import { pollReports } from './loops/poll-reports.ts';
import { reachMailServer } from './loops/reach-mail-server.ts';
import { recoverInterrupted } from './loops/recover.ts';
import { sendMails, sendMemberMails, sendNotifications } from './loops/send-messages.ts';
import { answerPreviews } from './requests/previews.ts';
import {
  answerArrivalMail,
  answerDeletionMail,
  answerEndpointFailing,
  answerReplyToMail,
  answerSend,
  answerStaffMail,
} from './requests/send.ts';
import { answerState } from './requests/state.ts';
import { database } from './store/database.ts';

export const notifier = defineService({
  name: 'notifier',
  config: notifierConfig,
  database,
  context: createContext,
  inBackground,
  http: routes,
  requests: {
    'notifier.send': answerSend,
    'notifier.deletion_mail': answerDeletionMail,
    'notifier.staff_mail': answerStaffMail,
    'notifier.reply_to_mail': answerReplyToMail,
    'notifier.arrival_mail': answerArrivalMail,
    'notifier.endpoint_failing': answerEndpointFailing,
    'notifier.previews': answerPreviews,
    'notifier.of_staff': answerOfStaff,
    'notifier.unreached': answerUnreached,
    'notifier.state': answerState,
  },
  events: {
    'status.updated': onStatusUpdated,
    'case.created': onCaseCreated,
    'case.updated': onCaseUpdated,
    'status.monitoring_changed': onMonitoringChanged,
    'status.check_overdue': onCheckOverdue,
    'staff.deleted': onStaffDeleted,
    'partner.deleted': onPartnerDeleted,
    'user.deleted': onUserDeleted,
    'erasure.recorded': onErasureRecorded,
  },
  loops: [
    sendNotifications('email'),
    sendNotifications('whatsapp'),
    sendMails,
    planNews,
    planDigests,
    gatherAlerts,
    sendMemberMails,
    recoverInterrupted,
    pollReports,
    measureTemplates,
    reachMailServer,
  ],
});
