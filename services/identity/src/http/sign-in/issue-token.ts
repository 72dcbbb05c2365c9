import type { Body } from '@casewatch/contracts';
import { faultsError, type Handler, logSecurity, networkOf } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { accessTokenSeconds } from '../../credentials/access-token.ts';
import { findPepper } from '../../credentials/macs.ts';
import { refreshTokenOf } from '../../credentials/refresh-token.ts';
import { fault } from '../../domain/check-user-body.ts';
import { idsOfSession, type LoginSession } from '../../domain/session.ts';
import type { User } from '../../domain/user.ts';
import { presentUser } from '../../present/user.ts';
import { refreshSession } from './refresh-session.ts';
import { signInWithCode } from './sign-in-with-code.ts';

/** POST /v1/auth/token */
export function issueToken(ctx: Context): Handler<'issue_token'> {
  return async ({ body, address }) => {
    const grant = readGrant(body);
    const isRefresh = grant.type === 'refresh_token';
    const signedIn = isRefresh
      ? await refreshSession(ctx, grant.refreshToken)
      : await signInWithCode(ctx, { ...grant, network: networkOf(address) });
    const event = isRefresh ? 'session_refreshed' : 'sign_in';
    logSecurity(ctx.log, { event, outcome: 'done', ...idsOfSession(signedIn.session) });
    return { body: presentTokens(ctx, signedIn) };
  };
}

type Grant =
  | { type: 'refresh_token'; refreshToken: string }
  | { type: 'login_code'; email: string; code: string; requestId: string | null; userId: number | null };

type Field = Exclude<keyof Body<'issue_token'>, 'grant_type'>;

/** @throws ApiError validation_failed: fields are missing or belong to the other grant */
function readGrant(body: Body<'issue_token'>): Grant {
  const { email, code, refresh_token } = body;
  if (body.grant_type === 'refresh_token') {
    refuseOthers(body, ['email', 'code', 'request_id', 'user_id']);
    if (refresh_token === undefined) throw missing(body, ['refresh_token']);
    return { type: 'refresh_token', refreshToken: refresh_token };
  }
  refuseOthers(body, ['refresh_token']);
  if (email === undefined || code === undefined) throw missing(body, ['email', 'code']);
  const { request_id: requestId = null, user_id: userId = null } = body;
  return { type: 'login_code', email, code, requestId, userId };
}

function refuseOthers(body: Body<'issue_token'>, fields: readonly Field[]): void {
  const sent = fields.filter((field) => body[field] !== undefined);
  const faults = sent.map((field) => fault(field, 'not_allowed', `does not belong to ${body.grant_type}`));
  if (faults.length > 0) throw faultsError(faults);
}

function missing(body: Body<'issue_token'>, fields: readonly Field[]) {
  const absent = fields.filter((field) => body[field] === undefined);
  return faultsError(absent.map((field) => fault(field, 'required', 'is required')));
}

/** What a person gets who has just signed in, or whose session goes on. */
export function presentTokens(ctx: Context, { user, session }: { user: User; session: LoginSession }) {
  const now = ctx.clock.now();
  // The session's pepper: a repeated request gets the same token from every replica.
  const pepper = findPepper(ctx.macs, session.pepper_id) ?? ctx.macs;
  const claims = {
    userId: user._id,
    partnerId: user.partner_id,
    sessionId: session._id,
    signedInAt: session.signed_in_at,
    now,
  };
  return {
    success: true as const,
    message: 'You are signed in.',
    token_type: 'Bearer' as const,
    access_token: ctx.accessTokens.sign(claims),
    expires_in: accessTokenSeconds,
    refresh_token: refreshTokenOf(session._id, session.generation, pepper),
    refresh_expires_in: Math.floor((session.idle_expires_at.getTime() - now.getTime()) / 1000),
    user: presentUser(user),
  };
}
