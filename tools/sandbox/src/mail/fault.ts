import { z } from 'zod';
import { faultRatio, happens } from '../http/fault-fields.ts';

/**
 * Body of `PUT /sandbox/faults`. reject and greylist refuse the recipient with `code` (550, 451); hang never answers the recipient;
 * drop_after_data takes the whole mail, keeps it, and closes the connection without an answer.
 */
export const faultBody = z.strictObject({
  mode: z.enum(['none', 'reject', 'greylist', 'drop_after_data', 'hang']),
  code: z.number().int().min(400).max(599).optional(),
  ratio: faultRatio,
  /** Only this recipient. */
  to: z.string().nullish(),
});

export type Fault = z.output<typeof faultBody>;

export const NO_FAULT: Fault = { mode: 'none', ratio: 1 };

/** The fault if one of these recipients meets it, else null. */
export function faultFor(fault: Fault, recipients: readonly string[]): Fault | null {
  if (fault.mode === 'none') return null;
  const only = fault.to?.toLowerCase() ?? null;
  if (only !== null && !recipients.some((recipient) => recipient.toLowerCase() === only)) return null;
  return happens(fault.ratio) ? fault : null;
}
