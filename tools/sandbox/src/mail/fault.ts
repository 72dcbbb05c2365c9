import { z } from 'zod';
import { faultRatio, selectFault } from '../http/faults.ts';

/** Where in the conversation a fault happens. */
export const faultPlace = z.enum(['connect', 'greeting', 'auth', 'mail_from', 'rcpt', 'data', 'after_data']);

/** Body of `PUT /sandbox/faults`; README.md describes the modes. */
export const faultBody = z.strictObject({
  mode: z.enum(['none', 'reject', 'greylist', 'drop_after_data', 'hang', 'drop']),
  /** Default `rcpt`; for `drop_after_data` it is `after_data`. */
  at: faultPlace.optional(),
  code: z.number().int().min(400).max(599).optional(),
  /** Text of a refusal, for example with an enhanced code: `5.7.1 Relay denied`. */
  reply: z.string().max(200).optional(),
  ratio: faultRatio,
  /** Only this recipient; not before `rcpt`. */
  to: z.string().nullish(),
});

export type FaultPlace = z.output<typeof faultPlace>;
export type Fault = z.output<typeof faultBody>;

export const NO_FAULT: Fault = { mode: 'none', ratio: 1 };

/** The fault for a mail to these recipients at this place, or null. */
export function faultFor(fault: Fault, at: FaultPlace, recipients: readonly string[] = []): Fault | null {
  const only = fault.to?.toLowerCase();
  const isTarget = only === undefined || recipients.some((recipient) => recipient.toLowerCase() === only);
  return selectFault(fault, isTarget && placeOf(fault) === at);
}

function placeOf({ mode, at }: Fault): FaultPlace {
  if (mode === 'drop_after_data') return 'after_data';
  return at ?? 'rcpt';
}
