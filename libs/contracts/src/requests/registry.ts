import type { z } from 'zod';
import { reader } from '../reading/reader.ts';
import type { ServiceName } from '../services.ts';
import { caseReply, caseRequest, countReply, countRequest } from './cases.ts';
import {
  authenticateReply,
  authenticateRequest,
  jwksReply,
  jwksRequest,
  partnerReply,
  partnerRequest,
  partnerUserRequest,
  partnerUsersReply,
  partnerUsersRequest,
  sessionReply,
  sessionRequest,
  userReply,
  userRequest,
} from './identity.ts';
import {
  checkReply,
  checkRequest,
  monitorShareReply,
  monitorShareRequest,
  monitorStatusReply,
  monitorStatusRequest,
} from './monitor.ts';
import { sendReply, sendRequest } from './notifier.ts';
import { revocationsReply, revocationsRequest } from './revocations.ts';

/** A question over core NATS that needs an answer now; its name is its subject. */
export type RequestRow = {
  readonly owner: ServiceName;
  readonly askers: readonly ServiceName[];
  readonly request: z.ZodType;
  readonly reply: z.ZodType;
  /** Longest wait, ms, unless the asker has less time. */
  readonly deadlineMs: number;
  /** Whether it may be asked twice: its answer has no effect. Then one lost message costs half of the time, not all. */
  readonly isRepeatable: boolean;
  /** Only the replica that holds the service's lease answers it, while it holds the lease. Otherwise any replica answers. */
  readonly byLeaseHolder?: true;
};

/** What an answer to a read hangs on leaves it half a second of its own deadline (ordinaryDeadlineMs). */
export const requests = {
  'identity.authenticate': row('identity', ['gateway'], authenticateRequest, authenticateReply, 2_000),
  'identity.session': row('identity', ['gateway'], sessionRequest, sessionReply, 2_000),
  'identity.jwks': row('identity', ['gateway'], jwksRequest, jwksReply, 1_500),
  'identity.revocations': row('identity', ['gateway'], revocationsRequest, revocationsReply, 1_000),
  'identity.user': row('identity', ['cases', 'notifier'], userRequest, userReply, 2_000),
  'identity.partner_user': row('identity', ['webhooks'], partnerUserRequest, userReply, 2_000),
  'identity.users': row('identity', ['cases'], partnerUsersRequest, partnerUsersReply, 1_000),
  'identity.partner': row('identity', ['notifier'], partnerRequest, partnerReply, 2_000),
  'cases.case': row('cases', ['notifier', 'webhooks'], caseRequest, caseReply, 1_500),
  'cases.count': row('cases', ['identity'], countRequest, countReply, 1_500),
  'monitor.check': byLeaseHolder(withEffect(row('monitor', ['cases'], checkRequest, checkReply, 8_500))),
  'monitor.share': row('monitor', ['identity'], monitorShareRequest, monitorShareReply, 1_000),
  'monitor.status': row('monitor', ['cases'], monitorStatusRequest, monitorStatusReply, 1_500),
  'notifier.send': withEffect(row('notifier', ['identity'], sendRequest, sendReply, 2_000)),
} as const;

export type Requests = typeof requests;
export type RequestName = keyof Requests;
export type RequestInput<N extends RequestName> = z.input<Requests[N]['request']>;
export type RequestData<N extends RequestName> = z.output<Requests[N]['request']>;
export type ReplyInput<N extends RequestName> = z.input<Requests[N]['reply']>;
export type ReplyData<N extends RequestName> = z.output<Requests[N]['reply']>;

/** Names of the requests that any replica of a service answers. */
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
