import { z } from 'zod';
import { faultRatio, happens, httpStatus } from '../http/fault-fields.ts';
import { bareNumber } from './message.ts';

/** Body of `PUT /sandbox/faults`. status and html refuse before storing; hang and drop come after it (the ambiguous outcome). */
export const faultBody = z.strictObject({
  mode: z.enum(['none', 'status', 'hang', 'html', 'drop']),
  /** HTTP status: 500 for status, 503 for html. */
  status: httpStatus.optional(),
  /** Twilio error code; fitting the status when left out. */
  code: z.number().int().min(10_000).max(99_999).optional(),
  ratio: faultRatio,
  /** Only this number, with or without `whatsapp:`. */
  to: z.string().nullish(),
});

export type Fault = z.output<typeof faultBody>;

export const NO_FAULT: Fault = { mode: 'none', ratio: 1 };

/** The fault if a message to this number meets it, else null. */
export function faultFor(fault: Fault, to: string): Fault | null {
  if (fault.mode === 'none') return null;
  if (fault.to && bareNumber(fault.to) !== bareNumber(to)) return null;
  return happens(fault.ratio) ? fault : null;
}
