import { z } from 'zod';
import { delayMs, faultRatio, happens, httpStatus } from '../http/fault-fields.ts';

/** Body of `PUT /sandbox/faults`: replaces the fault. Without `receipts` all are met; `ratio` 1 meets every request. */
export const faultBody = z.strictObject({
  mode: z.enum([
    'none',
    'status',
    'slow',
    'hang',
    'garbage',
    'html',
    // The connection ends in the middle of the body; half of it, as if it were whole; it never ends.
    'truncated',
    'half',
    'endless',
    // Fields of another type; quotes inside `href` that are not escaped.
    'wrong_type',
    'broken',
  ]),
  /** The government's sentence in mode status; "" = no body at all. */
  message: z.string().optional(),
  /** HTTP status for status (500) and html (200). */
  status: httpStatus.optional(),
  /** Milliseconds before the answer: 5000 for slow, else 0. */
  delay_ms: delayMs.optional(),
  ratio: faultRatio,
  receipts: z.array(z.string().transform((text) => text.toUpperCase())).nullish(),
});

export type Fault = z.output<typeof faultBody>;

export const NO_FAULT: Fault = { mode: 'none', ratio: 1 };

/** The fault if this request meets it, else null. */
export function faultFor(fault: Fault, receipt: string): Fault | null {
  if (fault.mode === 'none') return null;
  const receipts = fault.receipts ?? null;
  if (receipts !== null && !receipts.includes(receipt.toUpperCase())) return null;
  return happens(fault.ratio) ? fault : null;
}
