import { z } from 'zod';
import { operation } from '../operation.ts';
import { done } from './common.ts';

const token = z.string().min(1).max(256);

/** Callbacks that outsiders make (notifier.md). The signature covers what arrives, so nothing is stripped. */
export const callbackOperations = {
  twilio_callback: operation({
    service: 'notifier',
    method: 'POST',
    path: '/v1/callbacks/twilio',
    summary: 'Receive a delivery status from Twilio',
    note: 'Twilio calls this address. Its signature is verified.',
    who: ['anonymous'],
    scope: null,
    query: z.object({ n: z.string().max(128).optional(), a: z.string().max(8).optional() }),
    body: z.looseObject({ MessageSid: z.string().max(64), MessageStatus: z.string().max(32) }),
    consumes: ['application/x-www-form-urlencoded'],
    success: { status: 204, body: null },
    errors: ['invalid_signature'],
  }),
  unsubscribe_page: operation({
    service: 'notifier',
    method: 'GET',
    path: '/v1/unsubscribe',
    summary: 'Show the unsubscribe page',
    note: 'Returns a page with a button that unsubscribes. The request itself changes nothing.',
    page: true,
    who: ['anonymous'],
    scope: null,
    query: z.strictObject({ token }),
    success: {
      status: 200,
      body: z.strictObject({ channel: z.enum(['email', 'whatsapp']), message: z.string().max(1_000) }),
    },
    errors: ['invalid_verification_token'],
  }),
  // RFC 8058: the mail program posts `List-Unsubscribe=One-Click` as a form, without cookies or sign-in.
  unsubscribe: operation({
    service: 'notifier',
    method: 'POST',
    path: '/v1/unsubscribe',
    summary: 'Unsubscribe with one click',
    note: 'Turns off notifications on one channel. Each notification e-mail contains this link, in its text and in a header for mail programs (RFC 8058).',
    page: true,
    who: ['anonymous'],
    scope: null,
    query: z.strictObject({ token }),
    body: z.looseObject({}),
    consumes: ['application/x-www-form-urlencoded', 'application/json'],
    success: { status: 200, body: z.strictObject({ ...done, channel: z.enum(['email', 'whatsapp']) }) },
    errors: ['invalid_verification_token'],
  }),
};
