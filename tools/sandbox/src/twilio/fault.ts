import { z } from 'zod';
import { delayMs, faultRatio, httpStatus, selectFault } from '../http/faults.ts';
import { bareNumber } from './message.ts';
import type { MessageRequest } from './read-message-request.ts';

/** Body of `PUT /sandbox/faults`. status and html refuse before the message is stored; hang and drop happen after. withhold
 * accepts the message and sends no callback; delay sends them later. */
export const faultBody = z.strictObject({
  mode: z.enum(['none', 'status', 'hang', 'html', 'drop', 'withhold', 'delay']),
  /** Before the first callback, ms; only with `delay`. */
  delay_ms: delayMs.optional(),
  /** HTTP status: 500 for status, 503 for html. */
  status: httpStatus.optional(),
  /** Twilio error code; default: the general code of the status. */
  code: z.number().int().min(10_000).max(99_999).optional(),
  /** Text of the error; only with `status`. */
  message: z.string().max(200).optional(),
  /** Also refuses to read messages and templates; only with `status`. */
  reading: z.boolean().optional(),
  ratio: faultRatio,
  /** Only this number, with or without `whatsapp:`. */
  to: z.string().nullish(),
  /** Only this template. */
  content_sid: z.string().nullish(),
});

export type Fault = z.output<typeof faultBody>;

export const NO_FAULT: Fault = { mode: 'none', ratio: 1 };

/** The fault for this message, or null. */
export function faultFor(
  fault: Fault,
  { to, contentSid }: Pick<MessageRequest, 'to' | 'contentSid'>,
): Fault | null {
  const isNumber = !fault.to || bareNumber(fault.to) === bareNumber(to);
  return selectFault(fault, isNumber && (!fault.content_sid || fault.content_sid === contentSid));
}
