import { z } from 'zod';
import { operation } from '../operation.ts';
import { done } from './common.ts';

const token = z.string().min(1).max(256);

/** A field of a form, as long as a body can be; several values if it comes more than once. */
const formText = z.string().max(16_384);
const formField = z.union([formText, z.array(formText).max(1_000)]);

/** Providers whose callbacks are understood. */
const mailProvider = z.enum(['sendgrid', 'resend', 'ses']);

/** Callbacks that outsiders make (notifier.md). The signature covers what arrives, so nothing is stripped. */
export const callbackOperations = {
  twilio_callback: operation({
    service: 'notifier',
    method: 'POST',
    path: '/v1/callbacks/twilio',
    summary: 'Receive a delivery status or a message from Twilio',
    note: 'Twilio calls this address. Its signature is verified. A message such as STOP turns WhatsApp off for the number; START allows it again.',
    who: ['anonymous'],
    scope: null,
    query: z.object({ n: z.string().max(128).optional(), a: z.string().max(8).optional() }),
    // An inbound message has From and Body instead of a status. The signature vouches for the fields.
    body: z.looseObject({ MessageSid: formField.optional(), MessageStatus: formField.optional() }),
    consumes: ['application/x-www-form-urlencoded'],
    signatureHeaders: ['x-twilio-signature'],
    success: { status: 204, body: null },
    errors: ['invalid_signature'],
  }),
  email_callback: operation({
    service: 'notifier',
    method: 'POST',
    path: '/v1/callbacks/email/{provider}',
    summary: 'Receive bounces and complaints from a mail provider',
    note: 'The mail provider calls this address. Its signature is verified. A hard bounce or a complaint ends status mails to the address. The reports of Amazon SES come by Amazon SNS, which sends JSON as text/plain and first asks to confirm the subscription.',
    who: ['anonymous'],
    scope: null,
    params: z.object({ provider: mailProvider }),
    consumes: ['application/json', 'text/plain'],
    // That of SNS is in the body: its messages are known by this header.
    signatureHeaders: [
      'svix-id',
      'svix-signature',
      'svix-timestamp',
      'x-amz-sns-message-type',
      'x-twilio-email-event-webhook-signature',
      'x-twilio-email-event-webhook-timestamp',
    ],
    // SendGrid sends up to 768 KB of events in one call.
    signedBody: { maxBytes: 1024 * 1024 },
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
    query: z.object({ token }),
    success: {
      status: 200,
      body: z.strictObject({ channel: z.enum(['email', 'whatsapp']), message: z.string().max(1_000) }),
    },
    errors: ['invalid_verification_token'],
  }),
  // RFC 8058: the mail program posts `List-Unsubscribe=One-Click` as a form of either kind, without cookies or sign-in.
  unsubscribe: operation({
    service: 'notifier',
    method: 'POST',
    path: '/v1/unsubscribe',
    summary: 'Unsubscribe with one click',
    note: 'Turns off notifications on one channel. Each notification e-mail contains this link, in its text and in a header for mail programs (RFC 8058). The body is ignored, whatever its type is.',
    page: true,
    who: ['anonymous'],
    scope: null,
    // What a mail program or a link checker adds to the address is no reason to go on sending.
    query: z.object({ token }),
    anyBody: true,
    success: { status: 200, body: z.strictObject({ ...done, channel: z.enum(['email', 'whatsapp']) }) },
    errors: ['invalid_verification_token'],
  }),
  staff_alerts_page: operation({
    service: 'notifier',
    method: 'GET',
    path: '/v1/alerts/off',
    summary: 'Show the page that stops e-mails to a staff member',
    note: 'Returns a page with a button that stops e-mails about cases to a member of your staff. The request itself changes nothing.',
    page: true,
    who: ['anonymous'],
    scope: null,
    query: z.object({ token }),
    success: { status: 200, body: z.strictObject({ message: z.string().max(1_000) }) },
    errors: ['invalid_verification_token'],
  }),
  // RFC 8058, as `unsubscribe` is for people.
  staff_alerts_off: operation({
    service: 'notifier',
    method: 'POST',
    path: '/v1/alerts/off',
    summary: 'Stop e-mails to a staff member with one click',
    note: 'Turns off immediate e-mails and the digest of a member of your staff. Each of these e-mails contains this link, in its text and in a header for mail programs (RFC 8058). An urgent change that would reach nobody else still comes. The body is ignored, whatever its type is.',
    page: true,
    who: ['anonymous'],
    scope: null,
    query: z.object({ token }),
    anyBody: true,
    success: { status: 200, body: z.strictObject(done) },
    errors: ['invalid_verification_token'],
  }),
};
