import { z } from 'zod';
import { faultRatio, selectFault } from '../http/faults.ts';

/** Body of `PUT /sandbox/faults`; README.md describes the modes. */
export const faultBody = z.strictObject({
  mode: z.enum(['none', 'reject', 'greylist', 'drop_after_data', 'hang']),
  code: z.number().int().min(400).max(599).optional(),
  ratio: faultRatio,
  /** Only this recipient. */
  to: z.string().nullish(),
});

export type Fault = z.output<typeof faultBody>;

export const NO_FAULT: Fault = { mode: 'none', ratio: 1 };

/** The fault for a mail to these recipients, or null. */
export function faultFor(fault: Fault, recipients: readonly string[]): Fault | null {
  const only = fault.to?.toLowerCase();
  const isTarget = only === undefined || recipients.some((recipient) => recipient.toLowerCase() === only);
  return selectFault(fault, isTarget);
}
