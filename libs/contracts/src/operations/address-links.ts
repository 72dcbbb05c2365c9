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
    summary: 'Verify user e-mail from clickable token link',
    note:
      'Verifies only where `Accept` names `application/json` itself. To everything else, also `*/*`, it shows a page with a button and ' +
      'changes nothing, because mail scanners and link previews open links. The link of a change of address confirms that change.',
    who: ['anonymous'],
    scope: null,
    query: z.strictObject({ token }),
    effectOnGet: true,
    page: true,
    success: { status: 200, body: verified.omit({ message: true }) },
    errors: ['invalid_verification_token'],
  }),
  verify_email_button: operation({
    service: 'identity',
    method: 'POST',
    path: '/v1/users/verify-email',
    summary: 'Verify user e-mail: the button of the page that the link shows',
    page: true,
    who: ['anonymous'],
    scope: null,
    body: z.strictObject({ token }),
    consumes: ['application/json', 'application/x-www-form-urlencoded'],
    success: { status: 200, body: verified },
    errors: ['invalid_verification_token'],
  }),
  undo_email_change_page: operation({
    service: 'identity',
    method: 'GET',
    path: '/v1/users/undo-email-change',
    summary: 'The page of the link that undoes a change of address; it changes nothing',
    page: true,
    who: ['anonymous'],
    scope: null,
    query: z.strictObject({ token }),
    success: { status: 200, body: z.strictObject({ undone: z.boolean(), message: z.string().max(1_000) }) },
    errors: ['invalid_verification_token'],
  }),
  // The token may stand in the query, as in the link, or in the body, as the page's button sends it.
  undo_email_change: operation({
    service: 'identity',
    method: 'POST',
    path: '/v1/users/undo-email-change',
    summary: 'Undo a change of address: the old one is restored, sessions end',
    note: 'A change that the person asked for is stopped. The link is void once the new address is proven.',
    page: true,
    who: ['anonymous'],
    scope: null,
    query: z.strictObject({ token: token.optional() }),
    body: z.strictObject({ token: token.optional() }),
    consumes: ['application/json', 'application/x-www-form-urlencoded'],
    success: {
      status: 200,
      body: z.strictObject({ ...done, undone: z.literal(true), already_undone: z.boolean() }),
    },
    errors: ['invalid_verification_token', 'email_already_exists'],
  }),
};
