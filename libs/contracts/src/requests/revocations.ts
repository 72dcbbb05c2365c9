import { z } from 'zod';
import { unknownValues } from '../reading/unknown-values.ts';

/** How many changes one answer carries at most; beyond, everything remembered is to be forgotten. */
export const maxRevocationsPerReply = 1_000;

/** What is no longer to be trusted without asking anew: not what it has become, only that it changed. */
export const revocation = z.object({
  kind: z.enum(['key', 'session', 'user', 'partner']),
  id: z.string().min(1).max(64),
});

/** `since`: the revision applied last; null at the start, when there is nothing to forget. */
export const revocationsRequest = z.object({ since: z.int().min(0).nullable() });

/** `changes` null: more than can be told, or a revision that was never announced; everything is to be forgotten. */
export const revocationsReply = z.object({
  revision: z.int().min(0),
  changes: z
    .array(revocation)
    .max(maxRevocationsPerReply)
    .nullable()
    // Revoked is something that this release cannot name.
    .register(unknownValues, { readAs: null }),
});

export type Revocation = z.infer<typeof revocation>;
