import { z } from 'zod';
import { isoTime } from '../fields.ts';
import { operation } from '../operation.ts';
import { done } from './common.ts';

const token = z.string().min(1).max(512);

const verified = z.strictObject({
  ...done,
  verified: z.boolean(),
  already_verified: z.boolean(),
  email_verified_at: isoTime,
});

/** What the links in mails about an address lead to (interface.md §4). */
export const addressLinkOperations = {
  verify_email_link: operation({
    service: 'identity',
    method: 'GET',
    path: '/v1/users/verify-email',
    summary: 'Verify an e-mail address from a link',
    note:
      'Verifies the address if the `Accept` header names `application/json`. For any other value, such as `*/*`, the response is a page with ' +
      'a button, and nothing changes: mail scanners and link previews open links. A link that belongs to an address change confirms the change.',
    who: ['anonymous'],
    scope: null,
    query: z.object({ token }),
    effectOnGet: true,
    page: true,
    success: { status: 200, body: verified.omit({ message: true }) },
    errors: ['invalid_verification_token'],
  }),
  verify_email_button: operation({
    service: 'identity',
    method: 'POST',
    path: '/v1/users/verify-email',
    summary: 'Verify an e-mail address',
    note: 'Verifies the address that the token belongs to. The button of the page sends this request.',
    page: true,
    who: ['anonymous'],
    scope: null,
    body: z.strictObject({ token }),
    consumes: ['application/json', 'application/x-www-form-urlencoded'],
    success: { status: 200, body: verified },
    errors: ['invalid_verification_token'],
  }),
  renew_verification_link: operation({
    service: 'identity',
    method: 'POST',
    path: '/v1/users/verify-email/new-link',
    summary: 'Send a new verification link',
    note: 'Sends a new verification e-mail to the address of an expired link. The page of an expired link sends this request, for up to 7 days after the expiry.',
    page: true,
    who: ['anonymous'],
    scope: null,
    body: z.strictObject({ token }),
    consumes: ['application/json', 'application/x-www-form-urlencoded'],
    success: { status: 200, body: z.strictObject({ ...done, sent: z.boolean() }) },
    errors: ['invalid_verification_token', 'rate_limited'],
  }),
  undo_email_change_page: operation({
    service: 'identity',
    method: 'GET',
    path: '/v1/users/undo-email-change',
    summary: 'Show the page that undoes an address change',
    note: 'Returns a page with a button that undoes the change. The request itself changes nothing.',
    page: true,
    who: ['anonymous'],
    scope: null,
    query: z.object({ token }),
    success: { status: 200, body: z.strictObject({ undone: z.boolean(), message: z.string().max(1_000) }) },
    errors: ['invalid_verification_token'],
  }),
  // The token may stand in the query, as in the link, or in the body, as the page's button sends it.
  undo_email_change: operation({
    service: 'identity',
    method: 'POST',
    path: '/v1/users/undo-email-change',
    summary: 'Undo an address change',
    note: 'Restores the old address and ends all sessions. A change that is not verified yet is cancelled. The link stops working once the new address is verified.',
    page: true,
    who: ['anonymous'],
    scope: null,
    query: z.object({ token: token.optional() }),
    body: z.strictObject({ token: token.optional() }),
    consumes: ['application/json', 'application/x-www-form-urlencoded'],
    success: {
      status: 200,
      body: z.strictObject({ ...done, undone: z.literal(true), already_undone: z.boolean() }),
    },
    errors: ['invalid_verification_token', 'email_already_exists'],
  }),
};
