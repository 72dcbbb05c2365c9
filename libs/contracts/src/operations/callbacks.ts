import { z } from 'zod';
import { operation } from '../operation.ts';

/** Callbacks that outsiders make (notifier.md). The signature covers what arrives, so nothing is stripped. */
export const callbackOperations = {
  twilio_callback: operation({
    service: 'notifier',
    method: 'POST',
    path: '/v1/callbacks/twilio',
    summary: 'Delivery status from Twilio, signed by it',
    who: ['anonymous'],
    scope: null,
    query: z.object({ n: z.string().max(128).optional(), a: z.string().max(8).optional() }),
    body: z.looseObject({ MessageSid: z.string().max(64), MessageStatus: z.string().max(32) }),
    consumes: ['application/x-www-form-urlencoded'],
    success: { status: 204, body: null },
    errors: ['invalid_signature'],
  }),
};
