import { z } from 'zod';
import { email, id, language } from '../fields.ts';
import { operation } from '../operation.ts';
import { user } from '../resources/user.ts';
import { done } from './common.ts';

/** Six digits; people also type spaces and dashes between them. */
const code = z
  .string()
  .max(32)
  .transform((text) => text.replace(/[\s-]/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'must have six digits'))
  .meta({ pattern: '^[ -]*([0-9][ -]*){6}$' });

/** A login code's request, as the answer to its creation names it. */
const requestId = z.string().min(16).max(64);

/** Which fields of a token's request belong together. */
const grants = [
  {
    title: 'A login code',
    properties: { grant_type: { const: 'login_code' }, refresh_token: false },
    required: ['email', 'code'],
  },
  {
    title: 'A refresh token',
    properties: {
      grant_type: { const: 'refresh_token' },
      email: false,
      code: false,
      request_id: false,
      user_id: false,
    },
    required: ['grant_type', 'refresh_token'],
  },
];

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
    // One object rather than a union, so that faults name fields; the operation checks which belong together.
    body: z
      .strictObject({
        grant_type: z.enum(['login_code', 'refresh_token']).default('login_code'),
        email: email.optional(),
        code: code.optional(),
        request_id: requestId.optional(),
        user_id: id.optional(),
        refresh_token: z.string().min(1).max(512).optional(),
      })
      .meta({ oneOf: grants }),
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
