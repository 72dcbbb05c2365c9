import { z } from 'zod';
import { delayMs, faultRatio, httpStatus, selectFault } from '../http/faults.ts';

/** truncated: the connection ends in the body. half: half a body as if whole. broken: unescaped quotes in `href`. */
const modes = [
  ...(['none', 'status', 'slow', 'hang', 'garbage', 'html'] as const),
  ...(['truncated', 'half', 'endless', 'wrong_type', 'broken'] as const),
] as const;

/** Body of `PUT /sandbox/faults`, which replaces the fault. */
export const faultBody = z.strictObject({
  mode: z.enum(modes),
  /** The government's sentence in mode status; "" sends no body. */
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

/** The fault for a request about this receipt, or null. */
export function faultFor(fault: Fault, receipt: string): Fault | null {
  return selectFault(fault, fault.receipts?.includes(receipt.toUpperCase()) ?? true);
}
