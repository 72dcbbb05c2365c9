import { z } from 'zod';
import { id, isoTime, language } from '../fields.ts';
import { unknownValues } from '../reading/unknown-values.ts';

const common = {
  /** Idempotency key: a mail is sent once per id. */
  message_id: z.string().min(8).max(128),
  to: z.string().max(254),
  language,
  expires_at: isoTime,
};

/** Way of a failing endpoint until it is disabled (webhooks.md, Delivery). */
const endpointStage = z.enum(['half', 'nine_tenths', 'disabled']).register(unknownValues, { readAs: 'half' });

/** To the partner: an endpoint fails, or is disabled. */
const endpointFailing = z.object({
  ...common,
  kind: z.literal('endpoint_failing'),
  stage: endpointStage,
  webhook_id: id,
  host: z.string().max(253),
  description: z.string().max(255),
  failing_since: isoTime,
  /** When the endpoint will be disabled at the earliest, or was disabled. */
  disabled_at: isoTime,
  /** Error class of the last attempt, such as `timeout` or `http_500`. */
  error: z.string().max(64).nullable(),
});

/** Contains no text that a caller typed (notifier.md), except the description in the mail to the partner that wrote it. */
export const sendRequest = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('login_code'), code: z.string().regex(/^\d{6}$/) }),
  z.object({ ...common, kind: z.literal('verify_email'), link: z.url(), user_id: id }),
  z.object({ ...common, kind: z.literal('address_changed'), link: z.url(), user_id: id }),
  z.object({ ...common, kind: z.literal('address_taken'), user_id: id }),
  /** To the new address: the link confirms the change. */
  z.object({ ...common, kind: z.literal('confirm_new_address'), link: z.url(), user_id: id }),
  /** To the current address: the link allows or stops the change. */
  z.object({ ...common, kind: z.literal('address_change_asked'), link: z.url(), user_id: id }),
  endpointFailing,
]);

/** Accepted means stored. */
export const sendReply = z.object({ accepted: z.literal(true) });

export type SendRequest = z.infer<typeof sendRequest>;
export type EndpointStage = z.infer<typeof endpointStage>;
