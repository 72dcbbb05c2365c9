import { defineService } from '@casewatch/platform';
import { notifierConfig } from './config.ts';
import { createContext, inBackground } from './context.ts';
import { onStaffDeleted } from './events/on-staff-deleted.ts';
import { onStatusUpdated } from './events/on-status-updated.ts';
import { onErasureRecorded, onUserDeleted } from './events/on-user-deleted.ts';
import { routes } from './http/routes.ts';
import { measureTemplates } from './loops/measure-templates.ts';
import { pollReports } from './loops/poll-reports.ts';
import { reachMailServer } from './loops/reach-mail-server.ts';
import { recoverInterrupted } from './loops/recover.ts';
import { sendMails, sendNotifications } from './loops/send-messages.ts';
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
    'notifier.state': answerState,
  },
  events: {
    'status.updated': onStatusUpdated,
    'staff.deleted': onStaffDeleted,
    'user.deleted': onUserDeleted,
    'erasure.recorded': onErasureRecorded,
  },
  loops: [
    sendNotifications('email'),
    sendNotifications('whatsapp'),
    sendMails,
    recoverInterrupted,
    pollReports,
    measureTemplates,
    reachMailServer,
  ],
});
