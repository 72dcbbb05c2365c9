import { z } from 'zod';
import { email, language, name, phone, userStatus } from '../fields.ts';
import { operation } from '../operation.ts';
import {
  partnerUser,
  partnerUserWithName,
  user,
  userOfUpdate,
  verificationDelivery,
} from '../resources/user.ts';
import { done, maxRows, page, paging, timeText, userPath } from './common.ts';

const changes = {
  email: email.optional(),
  name: name.optional(),
  phone: phone.nullable().optional(),
  status: userStatus.optional(),
  preferred_language: language.optional(),
  notify_by_email: z.boolean().optional(),
  notify_by_whatsapp: z.boolean().optional(),
};

const newUser = {
  email,
  name,
  phone: phone.nullable().optional(),
  preferred_language: language.optional(),
  notify_by_email: z.boolean().optional(),
  notify_by_whatsapp: z.boolean().optional(),
};

const resent = z.strictObject({
  ...done,
  verification_required: z.boolean(),
  verification_delivery: verificationDelivery,
  user,
});

/** To somebody unknown: the same whether the address is new or taken. */
const signedUp = z.strictObject({
  ...done,
  verification_required: z.literal(true),
  user: z.null(),
});

/** To somebody unknown: nothing tells whether the address is known. */
const resentToNobodyKnown = z.strictObject({
  ...done,
  verification_required: z.literal(true),
  verification_delivery: z.null(),
  user: z.null(),
});

/** Users, their verification, and the partner's view of them (specification §4; interface.md §4). */
export const userOperations = {
  update_user: operation({
    service: 'identity',
    method: 'PUT',
    path: '/v1/users/{user_id}',
    summary: 'Update a user',
    note:
      'A new e-mail address that the user requests takes effect when it is verified, by the link or a login code sent to it. Until then the ' +
      'current address stays, and an e-mail to it can cancel the change. The response is the same if another user has the address. ' +
      "A partner's change takes effect at once and ends all sessions. An address can be changed three times a day.",
    who: ['user', 'partner'],
    scope: 'users:write',
    params: userPath,
    body: z.strictObject(changes),
    success: { status: 200, body: z.strictObject({ ...done, user: userOfUpdate }) },
    errors: [
      'empty_update',
      'reauthentication_required',
      'account_suspended',
      'user_not_found',
      'email_already_exists',
      'opted_out_by_user',
      'rate_limited',
    ],
  }),
  get_user: operation({
    service: 'identity',
    method: 'GET',
    path: '/v1/users/{user_id}',
    summary: 'Get a user',
    who: ['user', 'partner'],
    scope: 'users:read',
    params: userPath,
    success: { status: 200, body: z.strictObject({ user }) },
    errors: ['user_not_found'],
  }),
  list_partner_users: operation({
    service: 'identity',
    method: 'GET',
    path: '/v1/client/users',
    summary: 'List your users',
    who: ['partner'],
    scope: 'users:read',
    query: z.strictObject({
      ...paging,
      status: userStatus.optional(),
      email: email.optional(),
      created_since: timeText.optional(),
      sort: z.enum(['created_at', '-created_at']).default('-created_at'),
    }),
    success: { status: 200, body: z.strictObject({ users: z.array(partnerUser).max(maxRows), ...page }) },
    errors: ['invalid_cursor'],
  }),
  create_partner_user: operation({
    service: 'identity',
    method: 'POST',
    path: '/v1/client/users',
    summary: 'Create one of your users',
    idempotent: true,
    who: ['partner'],
    scope: 'users:write',
    body: z.strictObject({ ...newUser, send_verification: z.boolean().default(true) }),
    success: { status: 201, body: resent },
    errors: ['email_already_exists'],
  }),
  get_partner_user: operation({
    service: 'identity',
    method: 'GET',
    path: '/v1/client/users/{user_id}',
    summary: 'Get one of your users',
    who: ['partner'],
    scope: 'users:read',
    params: userPath,
    success: { status: 200, body: z.strictObject({ user: partnerUserWithName }) },
    errors: ['user_not_found'],
  }),
  update_partner_user: operation({
    service: 'identity',
    method: 'PUT',
    path: '/v1/client/users/{user_id}',
    summary: 'Update one of your users',
    note: 'A new e-mail address takes effect at once, ends all sessions and has to be verified. It can be changed three times a day.',
    who: ['partner'],
    scope: 'users:write',
    params: userPath,
    body: z.strictObject(changes),
    success: { status: 200, body: z.strictObject({ ...done, user }) },
    errors: [
      'empty_update',
      'account_suspended',
      'user_not_found',
      'email_already_exists',
      'opted_out_by_user',
      'rate_limited',
    ],
  }),
  resend_partner_verification: operation({
    service: 'identity',
    method: 'POST',
    path: '/v1/client/users/resend-verification',
    summary: 'Resend a verification e-mail to one of your users',
    who: ['partner'],
    scope: 'users:write',
    body: z.strictObject({ email }),
    success: { status: 200, body: resent },
    errors: ['user_not_found', 'rate_limited'],
  }),
  list_users: operation({
    service: 'identity',
    method: 'GET',
    path: '/v1/users',
    summary: 'List users',
    note: 'A partner gets its users. A user gets only their own entry.',
    who: ['user', 'partner'],
    scope: 'users:read',
    query: z.strictObject({ ...paging, status: userStatus.optional(), email: email.optional() }),
    success: { status: 200, body: z.strictObject({ users: z.array(user).max(maxRows), ...page }) },
    errors: ['invalid_cursor'],
  }),
  create_user: operation({
    service: 'identity',
    method: 'POST',
    path: '/v1/users',
    summary: 'Create a user',
    idempotent: true,
    who: ['anonymous', 'partner'],
    scope: 'users:write',
    body: z.strictObject(newUser),
    success: { status: 201, body: resent },
    toAnonymous: { status: 202, body: signedUp },
    errors: ['email_already_exists', 'rate_limited'],
  }),
  resend_verification: operation({
    service: 'identity',
    method: 'POST',
    path: '/v1/users/resend-verification',
    summary: 'Resend a verification e-mail',
    who: ['anonymous', 'user', 'partner'],
    scope: 'users:write',
    body: z.strictObject({ email }),
    success: { status: 200, body: z.union([resent, resentToNobodyKnown]) },
    errors: ['user_not_found', 'rate_limited'],
  }),
  delete_user: operation({
    service: 'identity',
    method: 'DELETE',
    path: '/v1/users/{user_id}',
    summary: 'Delete your account',
    who: ['user'],
    scope: null,
    params: userPath,
    success: { status: 200, body: z.strictObject(done) },
    errors: ['reauthentication_required', 'user_not_found'],
  }),
  delete_partner_user: operation({
    service: 'identity',
    method: 'DELETE',
    path: '/v1/client/users/{user_id}',
    summary: 'Delete one of your users',
    who: ['partner'],
    scope: 'users:write',
    params: userPath,
    success: { status: 200, body: z.strictObject(done) },
    errors: ['user_not_found'],
  }),
};
