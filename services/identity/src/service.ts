import { defineService } from '@casewatch/platform';
import { answerRecordRefusals, onAudited } from './audit/audit.ts';
import { identityConfig } from './config.ts';
import { createContext, inBackground } from './context.ts';
import { onContactOptedOut } from './events/on-contact-opted-out.ts';
import { onErasureRecorded } from './events/on-erasure-recorded.ts';
import { onStaffOptedOut } from './events/on-staff-opted-out.ts';
import { routes } from './http/routes.ts';
import { processAddressRequests } from './loops/address-requests.ts';
import { announceRevision } from './loops/announce-revision.ts';
import { findLeftMails } from './loops/find-left-mails.ts';
import { sendChangeMails, sendUndoMails, sendVerificationMails } from './loops/link-mails.ts';
import { sendLoginCodes } from './loops/login-code-mails.ts';
import { refreshSigningKeys } from './loops/refresh-signing-keys.ts';
import { sweepSignUps } from './loops/sweep-sign-ups.ts';
import { answerAuthenticate } from './requests/authenticate.ts';
import {
  answerConsoleLink,
  answerConsoleSession,
  answerEndConsole,
  answerOpenConsole,
  answerRenewConsole,
} from './requests/console.ts';
import { answerLogo } from './requests/logo.ts';
import { answerFind, answerPartner, answerPeople } from './requests/people.ts';
import { answerRevocations } from './requests/revocations.ts';
import { answerJwks, answerSession } from './requests/session.ts';
import { answerState } from './requests/state.ts';
import { answerFirm } from './staff/answer-firm.ts';
import { answerUpsertPerson } from './requests/upsert-person.ts';
import { answerSendVerifications, answerUnverified } from './verification/import-verifications.ts';
import { answerStaff } from './staff/answer-staff.ts';
import { answerAcceptInvitation, answerInvitation, sendInvitations } from './staff/invitation.ts';
import { answerCalendar, answerChangeCalendar, answerOwnCalendar } from './staff/calendar.ts';
import {
  answerConfirmSecondFactor,
  answerSecondFactor,
  answerSetUpSecondFactor,
  answerTurnOffSecondFactor,
} from './staff/own-second-factor.ts';
import { answerEndOtherStaffSession, answerStaffSessions } from './staff/own-sessions.ts';
import { sweepStaff } from './staff/retention.ts';
import { answerFinishSignIn, answerSignInStep } from './staff/sign-in-step.ts';
import { answerConfirmReplyTo, answerReplyTo, sendReplyToMails } from './settings/profile-settings.ts';
import { sendStaffNotices } from './staff/notices.ts';
import {
  answerEndStaffSession,
  answerRenewStaffSession,
  answerRequestStaffCode,
  answerStaffSession,
  answerStaffSignIn,
} from './staff/sign-in.ts';
import { answerOpenAccount, answerRequestEntry, answerWelcome, sendWelcomes } from './sign-up/sign-up.ts';
import { erasePartners } from './partners/erase-partners.ts';
import { database } from './store/database.ts';
import { sendVerificationReminders } from './verification/reminders.ts';

export const identity = defineService({
  name: 'identity',
  config: identityConfig,
  database,
  context: createContext,
  inBackground,
  http: routes,
  requests: {
    'identity.authenticate': answerAuthenticate,
    'identity.session': answerSession,
    'identity.console_session': answerConsoleSession,
    'identity.console_link': answerConsoleLink,
    'identity.open_console': answerOpenConsole,
    'identity.renew_console': answerRenewConsole,
    'identity.end_console': answerEndConsole,
    'identity.jwks': answerJwks,
    'identity.revocations': answerRevocations,
    'identity.people': answerPeople,
    'identity.find': answerFind,
    'identity.record_refusals': answerRecordRefusals,
    'identity.firm': answerFirm,
    'identity.upsert_person': answerUpsertPerson,
    'identity.unverified': answerUnverified,
    'identity.send_verifications': answerSendVerifications,
    'identity.staff': answerStaff,
    'identity.request_staff_code': answerRequestStaffCode,
    'identity.staff_sign_in': answerStaffSignIn,
    'identity.sign_in_step': answerSignInStep,
    'identity.finish_sign_in': answerFinishSignIn,
    'identity.second_factor': answerSecondFactor,
    'identity.set_up_second_factor': answerSetUpSecondFactor,
    'identity.confirm_second_factor': answerConfirmSecondFactor,
    'identity.turn_off_second_factor': answerTurnOffSecondFactor,
    'identity.staff_session': answerStaffSession,
    'identity.renew_staff_session': answerRenewStaffSession,
    'identity.end_staff_session': answerEndStaffSession,
    'identity.staff_sessions': answerStaffSessions,
    'identity.own_calendar': answerOwnCalendar,
    'identity.change_calendar': answerChangeCalendar,
    'identity.calendar': answerCalendar,
    'identity.end_other_staff_session': answerEndOtherStaffSession,
    'identity.reply_to': answerReplyTo,
    'identity.confirm_reply_to': answerConfirmReplyTo,
    'identity.request_entry': answerRequestEntry,
    'identity.welcome': answerWelcome,
    'identity.open_account': answerOpenAccount,
    'identity.invitation': answerInvitation,
    'identity.accept_invitation': answerAcceptInvitation,
    'identity.partner': answerPartner,
    'identity.logo': answerLogo,
    'identity.state': answerState,
  },
  events: {
    'contact.opted_out': onContactOptedOut,
    'staff.opted_out': onStaffOptedOut,
    'erasure.recorded': onErasureRecorded,
    'identity.audited': onAudited,
    'cases.audited': onAudited,
    'monitor.audited': onAudited,
    'notifier.audited': onAudited,
    'webhooks.audited': onAudited,
  },
  loops: [
    refreshSigningKeys,
    sweepSignUps,
    sweepStaff,
    erasePartners,
    sendLoginCodes,
    sendChangeMails,
    sendUndoMails,
    sendVerificationMails,
    sendInvitations,
    sendStaffNotices,
    sendReplyToMails,
    sendWelcomes,
    sendVerificationReminders,
    processAddressRequests,
    findLeftMails,
    announceRevision,
  ],
});
