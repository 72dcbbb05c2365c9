import { z } from 'zod';
import { email, language } from '../fields.ts';
import { operation } from '../operation.ts';
import { anyGrant, code, requestId } from '../resources/grant.ts';
import { user } from '../resources/user.ts';
import { done } from './common.ts';

/** Signing in by a code sent by e-mail (interface.md §4, Auth operations). */
export const authOperations = {
  request_login_code: operation({
    service: 'identity',
    method: 'POST',
    path: '/v1/auth/login-code',
    summary: 'Request a login code',
    note: 'Sends a six-digit code to the address. The response is the same whether or not the address belongs to a user.',
    who: ['anonymous'],
    scope: null,
    body: z.strictObject({ email, preferred_language: language.optional() }),
    success: {
      status: 200,
      body: z.strictObject({
        ...done,
        request_id: z.string().max(64),
        expires_in: z.literal(600),
        resend_after: z.literal(60),
      }),
    },
    errors: ['rate_limited'],
  }),
  verify_login_code: operation({
    service: 'identity',
    method: 'POST',
    path: '/v1/auth/login-code/verify',
    summary: 'Verify a login code',
    note: 'Checks whether a login code is correct. The check counts as one attempt. The code stays valid, so you can issue a token with it.',
    who: ['anonymous'],
    scope: null,
    body: z.strictObject({ email, code, request_id: requestId.optional() }),
    success: {
      status: 200,
      body: z.strictObject({ ...done, valid: z.literal(true), expires_in: z.int().min(0).max(600) }),
    },
    errors: ['invalid_login_code', 'too_many_login_attempts'],
  }),
  issue_token: operation({
    service: 'identity',
    method: 'POST',
    path: '/v1/auth/token',
    summary: 'Issue a bearer token',
    note: 'Exchanges a login code or a refresh token for an access token and a new refresh token.',
    who: ['anonymous'],
    scope: null,
    body: anyGrant,
    success: {
      status: 200,
      body: z.strictObject({
        ...done,
        token_type: z.literal('Bearer'),
        access_token: z.string().max(4_096),
        expires_in: z.literal(900),
        refresh_token: z.string().max(512),
        refresh_expires_in: z.int(),
        user,
      }),
    },
    errors: [
      'invalid_login_code',
      'invalid_refresh_token',
      'refresh_token_reused',
      'account_suspended',
      'user_selection_required',
      'too_many_login_attempts',
    ],
  }),
  log_out: operation({
    service: 'identity',
    method: 'POST',
    path: '/v1/auth/logout',
    summary: 'Log out',
    note: 'Ends the current session. Send `all_sessions` to end all sessions of the user.',
    who: ['user'],
    scope: null,
    body: z.strictObject({ all_sessions: z.boolean().default(false) }),
    success: { status: 200, body: z.strictObject(done) },
    errors: [],
  }),
};
