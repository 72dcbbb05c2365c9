import { z } from 'zod';
import { delayMs, faultRatio, httpStatus, selectFault } from '../http/faults.ts';
import { bareNumber } from './message.ts';

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
  ratio: faultRatio,
  /** Only this number, with or without `whatsapp:`. */
  to: z.string().nullish(),
});

export type Fault = z.output<typeof faultBody>;

export const NO_FAULT: Fault = { mode: 'none', ratio: 1 };

/** The fault for a message to this number, or null. */
export function faultFor(fault: Fault, to: string): Fault | null {
  return selectFault(fault, !fault.to || bareNumber(fault.to) === bareNumber(to));
}
