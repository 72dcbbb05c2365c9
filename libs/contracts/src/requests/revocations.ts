import { z } from 'zod';
import { isoTime } from '../fields.ts';
import { unknownValues } from '../reading/unknown-values.ts';

/** Beyond it, `changes` is null. */
export const maxRevocationsPerReply = 1_000;

/** Identifies what changed, not its new state. */
export const revocation = z.object({
  kind: z.enum(['key', 'session', 'user', 'staff', 'partner']),
  id: z.string().min(1).max(64),
});

/** `since`: the last applied revision; null at the start. */
export const revocationsRequest = z.object({ since: z.int().min(0).nullable() });

/** `changes` null: too many, or an unknown revision; clear every cache. `now`: the time of identity, which gateways follow. */
export const revocationsReply = z.object({
  revision: z.int().min(0),
  changes: z
    .array(revocation)
    .max(maxRevocationsPerReply)
    .nullable()
    // This release does not know the kind.
    .register(unknownValues, { readAs: null }),
  now: isoTime.optional(),
});

export type Revocation = z.infer<typeof revocation>;
