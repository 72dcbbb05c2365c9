import { z } from 'zod';
import { auditRecords } from '../audit.ts';
import { reader } from '../reading/reader.ts';
import type { ServiceName } from '../services.ts';
import {
  entryReply,
  entryRequest,
  openAccountReply,
  openAccountRequest,
  welcomeReply,
  welcomeRequest,
} from './arrival.ts';
import {
  activeCasesReply,
  activeCasesRequest,
  casesReply,
  casesRequest,
  countReply,
  countRequest,
  dueReply,
  dueRequest,
  firmsReply,
  firmsRequest,
  morningReply,
  morningRequest,
  staffFactsReply,
  staffFactsRequest,
} from './cases.ts';
import {
  acceptInvitationReply,
  acceptInvitationRequest,
  calendarReply,
  calendarRequest,
  changeCalendarReply,
  changeCalendarRequest,
  confirmReplyToReply,
  confirmSecondFactorReply,
  confirmSecondFactorRequest,
  consoleLinkReply,
  consoleSessionReply,
  consoleSessionRequest,
  endConsoleReply,
  endOtherStaffSessionRequest,
  endStaffSessionRequest,
  finishSignInReply,
  finishSignInRequest,
  invitationReply,
  invitationRequest,
  openConsoleRequest,
  ownCalendarReply,
  replyToReply,
  replyToRequest,
  secondFactorReply,
  signInStepReply,
  signInStepRequest,
  staffCodeReply,
  staffCodeRequest,
  staffSessionsReply,
  staffSignInReply,
  staffSignInRequest,
  turnOffSecondFactorRequest,
} from './console.ts';
import {
  authenticateReply,
  authenticateRequest,
  findReply,
  findRequest,
  firmReply,
  firmRequest,
  jwksReply,
  jwksRequest,
  logoReply,
  logoRequest,
  partnerReply,
  partnerRequest,
  peopleReply,
  peopleRequest,
  sendVerificationsReply,
  sendVerificationsRequest,
  sessionReply,
  sessionRequest,
  staffReply,
  staffRequest,
  unverifiedReply,
  unverifiedRequest,
  upsertPersonReply,
  upsertPersonRequest,
} from './identity.ts';
import {
  checkReply,
  checkRequest,
  monitorShareReply,
  monitorShareRequest,
  monitorStatusReply,
  monitorStatusRequest,
} from './monitor.ts';
import {
  arrivalMailRequest,
  deletionMailRequest,
  endpointFailingRequest,
  previewsReply,
  previewsRequest,
  replyToMailRequest,
  sendReply,
  sendRequest,
  staffAlertsReply,
  staffAlertsRequest,
  staffMailRequest,
  unreachedReply,
  unreachedRequest,
} from './notifier.ts';
import { revocationsReply, revocationsRequest } from './revocations.ts';
import { monitorState, notifierState, serviceState, stateRequest, webhooksState } from './state.ts';
import { failingReply, failingRequest, fetchLogoReply, fetchLogoRequest } from './webhooks.ts';

const nothing = z.object({});

/** The name is the NATS subject. */
export type RequestRow = {
  readonly owner: ServiceName;
  readonly askers: readonly ServiceName[];
  readonly request: z.ZodType;
  readonly reply: z.ZodType;
  /** Timeout, ms; less if the caller has less time. */
  readonly deadlineMs: number;
  /** The request has no effect and can be repeated: a lost message costs half of the time. */
  readonly isRepeatable: boolean;
  /** Only the lease holder answers. */
  readonly byLeaseHolder?: true;
};

/** 2,000 ms leave the caller half a second of its own deadline (ordinaryDeadlineMs). */
export const requests = {
  'identity.authenticate': row('identity', ['gateway'], authenticateRequest, authenticateReply, 2_000),
  'identity.session': row('identity', ['gateway'], sessionRequest, sessionReply, 2_000),
  'identity.console_session': row('identity', ['gateway'], consoleSessionRequest, consoleSessionReply, 2_000),
  'identity.console_link': row('identity', ['gateway'], openConsoleRequest, consoleLinkReply, 2_000),
  'identity.open_console': withEffect(
    row('identity', ['gateway'], openConsoleRequest, consoleSessionReply, 2_000),
  ),
  'identity.renew_console': withEffect(
    row('identity', ['gateway'], consoleSessionRequest, consoleSessionReply, 2_000),
  ),
  'identity.end_console': withEffect(
    row('identity', ['gateway'], consoleSessionRequest, endConsoleReply, 2_000),
  ),
  'identity.invitation': row('identity', ['gateway'], invitationRequest, invitationReply, 2_000),
  'identity.accept_invitation': withEffect(
    row('identity', ['gateway'], acceptInvitationRequest, acceptInvitationReply, 2_000),
  ),
  'identity.request_staff_code': withEffect(
    row('identity', ['gateway'], staffCodeRequest, staffCodeReply, 2_000),
  ),
  'identity.staff_sign_in': withEffect(
    row('identity', ['gateway'], staffSignInRequest, staffSignInReply, 2_000),
  ),
  'identity.sign_in_step': row('identity', ['gateway'], signInStepRequest, signInStepReply, 2_000),
  'identity.finish_sign_in': withEffect(
    row('identity', ['gateway'], finishSignInRequest, finishSignInReply, 2_000),
  ),
  'identity.second_factor': row('identity', ['gateway'], consoleSessionRequest, secondFactorReply, 2_000),
  'identity.set_up_second_factor': withEffect(
    row('identity', ['gateway'], consoleSessionRequest, nothing, 2_000),
  ),
  'identity.confirm_second_factor': withEffect(
    row('identity', ['gateway'], confirmSecondFactorRequest, confirmSecondFactorReply, 2_000),
  ),
  'identity.turn_off_second_factor': withEffect(
    row('identity', ['gateway'], turnOffSecondFactorRequest, nothing, 2_000),
  ),
  'identity.staff_session': row('identity', ['gateway'], consoleSessionRequest, consoleSessionReply, 2_000),
  'identity.renew_staff_session': withEffect(
    row('identity', ['gateway'], consoleSessionRequest, consoleSessionReply, 2_000),
  ),
  'identity.reply_to': row('identity', ['gateway'], replyToRequest, replyToReply, 2_000),
  'identity.confirm_reply_to': withEffect(
    row('identity', ['gateway'], replyToRequest, confirmReplyToReply, 2_000),
  ),
  'identity.staff_sessions': row('identity', ['gateway'], consoleSessionRequest, staffSessionsReply, 2_000),
  'identity.end_other_staff_session': withEffect(
    row('identity', ['gateway'], endOtherStaffSessionRequest, endConsoleReply, 2_000),
  ),
  'identity.end_staff_session': withEffect(
    row('identity', ['gateway'], endStaffSessionRequest, endConsoleReply, 2_000),
  ),
  'identity.own_calendar': row('identity', ['gateway'], consoleSessionRequest, ownCalendarReply, 2_000),
  'identity.change_calendar': withEffect(
    row('identity', ['gateway'], changeCalendarRequest, changeCalendarReply, 2_000),
  ),
  'identity.calendar': row('identity', ['gateway'], calendarRequest, calendarReply, 2_000),
  'identity.request_entry': withEffect(row('identity', ['gateway'], entryRequest, entryReply, 2_000)),
  'identity.welcome': row('identity', ['gateway'], welcomeRequest, welcomeReply, 2_000),
  'identity.open_account': withEffect(
    row('identity', ['gateway'], openAccountRequest, openAccountReply, 2_000),
  ),
  'identity.jwks': row('identity', ['gateway'], jwksRequest, jwksReply, 1_500),
  'identity.revocations': row('identity', ['gateway'], revocationsRequest, revocationsReply, 1_000),
  'identity.record_refusals': withEffect(row('identity', ['gateway'], auditRecords, nothing, 2_000)),
  'identity.people': row(
    'identity',
    ['cases', 'gateway', 'notifier', 'webhooks'],
    peopleRequest,
    peopleReply,
    2_000,
  ),
  'identity.find': row('identity', ['cases'], findRequest, findReply, 2_000),
  'identity.upsert_person': withEffect(
    row('identity', ['cases'], upsertPersonRequest, upsertPersonReply, 2_000),
  ),
  'identity.unverified': row('identity', ['cases'], unverifiedRequest, unverifiedReply, 2_000),
  'identity.send_verifications': withEffect(
    row('identity', ['cases'], sendVerificationsRequest, sendVerificationsReply, 2_000),
  ),
  'identity.staff': row('identity', ['cases', 'notifier'], staffRequest, staffReply, 2_000),
  'identity.firm': row('identity', ['notifier'], firmRequest, firmReply, 2_000),
  'identity.partner': row('identity', ['cases', 'webhooks'], partnerRequest, partnerReply, 2_000),
  'identity.logo': row('identity', ['gateway'], logoRequest, logoReply, 2_000),
  'cases.cases': row('cases', ['notifier', 'webhooks'], casesRequest, casesReply, 1_500),
  'cases.active': row('cases', ['notifier'], activeCasesRequest, activeCasesReply, 1_500),
  'cases.due': row('cases', ['gateway'], dueRequest, dueReply, 1_500),
  'cases.morning': row('cases', ['notifier'], morningRequest, morningReply, 2_000),
  'cases.firms': row('cases', ['notifier'], firmsRequest, firmsReply, 1_500),
  'cases.of_staff': row('cases', ['identity'], staffFactsRequest, staffFactsReply, 1_500),
  'cases.count': row('cases', ['identity'], countRequest, countReply, 1_500),
  'monitor.check': byLeaseHolder(withEffect(row('monitor', ['cases'], checkRequest, checkReply, 8_500))),
  'monitor.share': row('monitor', ['identity'], monitorShareRequest, monitorShareReply, 1_000),
  'monitor.status': row('monitor', ['cases', 'gateway'], monitorStatusRequest, monitorStatusReply, 1_500),
  'notifier.send': withEffect(row('notifier', ['identity'], sendRequest, sendReply, 2_000)),
  'notifier.previews': row('notifier', ['gateway'], previewsRequest, previewsReply, 2_000),
  'notifier.of_staff': row('notifier', ['identity'], staffAlertsRequest, staffAlertsReply, 1_500),
  'notifier.unreached': row('notifier', ['gateway'], unreachedRequest, unreachedReply, 1_000),
  'notifier.arrival_mail': withEffect(row('notifier', ['identity'], arrivalMailRequest, sendReply, 2_000)),
  'notifier.reply_to_mail': withEffect(row('notifier', ['identity'], replyToMailRequest, sendReply, 2_000)),
  'notifier.deletion_mail': withEffect(row('notifier', ['identity'], deletionMailRequest, sendReply, 2_000)),
  'notifier.staff_mail': withEffect(row('notifier', ['identity'], staffMailRequest, sendReply, 2_000)),
  'notifier.endpoint_failing': withEffect(
    row('notifier', ['webhooks'], endpointFailingRequest, sendReply, 2_000),
  ),
  'webhooks.failing': row('webhooks', ['notifier'], failingRequest, failingReply, 1_500),
  'webhooks.fetch_logo': withEffect(row('webhooks', ['identity'], fetchLogoRequest, fetchLogoReply, 5_500)),
  'identity.state': row('identity', ['gateway'], stateRequest, serviceState, 4_000),
  'cases.state': row('cases', ['gateway'], stateRequest, serviceState, 4_000),
  'monitor.state': row('monitor', ['gateway'], stateRequest, monitorState, 4_000),
  'notifier.state': row('notifier', ['gateway'], stateRequest, notifierState, 4_000),
  'webhooks.state': row('webhooks', ['gateway'], stateRequest, webhooksState, 4_000),
} as const;

export type Requests = typeof requests;
export type RequestName = keyof Requests;
export type RequestInput<N extends RequestName> = z.input<Requests[N]['request']>;
export type RequestData<N extends RequestName> = z.output<Requests[N]['request']>;
export type ReplyInput<N extends RequestName> = z.input<Requests[N]['reply']>;
export type ReplyData<N extends RequestName> = z.output<Requests[N]['reply']>;

export type RequestOf<S extends ServiceName> = {
  [N in RequestName]: Requests[N] extends { readonly owner: S; readonly byLeaseHolder?: never } ? N : never;
}[RequestName];

function row<Q extends z.ZodType, R extends z.ZodType, O extends ServiceName>(
  owner: O,
  askers: readonly ServiceName[],
  request: Q,
  reply: R,
  deadlineMs: number,
) {
  return { owner, askers, request: reader(request), reply: reader(reply), deadlineMs, isRepeatable: true };
}

function withEffect<R extends RequestRow>(request: R): R {
  return { ...request, isRepeatable: false };
}

function byLeaseHolder<R extends RequestRow>(request: R): R & { readonly byLeaseHolder: true } {
  return { ...request, byLeaseHolder: true };
}
