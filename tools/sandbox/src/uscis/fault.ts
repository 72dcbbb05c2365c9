import { z } from 'zod';
import { delayMs, faultRatio, httpStatus, selectFault } from '../http/faults.ts';

/**
 * truncated: the connection ends in the body. half: half a body as if whole. broken: unescaped quotes in `href`.
 * gateway_404: a 404 of Apigee, AWS or Spring. The last line changes what a 200 shows (change-case-body.ts).
 */
const modes = [
  ...(['none', 'status', 'slow', 'hang', 'garbage', 'html'] as const),
  ...(['truncated', 'half', 'endless', 'wrong_type', 'broken', 'gateway_404'] as const),
  ...(['other_receipt', 'touched', 'boilerplate', 'blinking_history', 'placeholder'] as const),
] as const;

/** Body of `PUT /sandbox/faults`, which replaces the fault. */
export const faultBody = z.strictObject({
  mode: z.enum(modes),
  /** The government's sentence in mode status; "" sends no body. In mode boilerplate, the sentence that is added. */
  message: z.string().optional(),
  /** HTTP status for status (500) and html (200). */
  status: httpStatus.optional(),
  /** Milliseconds before the answer: 5000 for slow, else 0. */
  delay_ms: delayMs.optional(),
  /** Header Retry-After of mode status, s. */
  retry_after_s: z.number().int().min(0).max(86_400).optional(),
  ratio: faultRatio,
  receipts: z.array(z.string().transform((text) => text.toUpperCase())).nullish(),
});

export type Fault = z.output<typeof faultBody>;

export const NO_FAULT: Fault = { mode: 'none', ratio: 1 };

/** The fault for a request about this receipt, or null. */
export function faultFor(fault: Fault, receipt: string): Fault | null {
  return selectFault(fault, fault.receipts?.includes(receipt.toUpperCase()) ?? true);
}
