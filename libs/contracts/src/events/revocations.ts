import { z } from 'zod';

/**
 * How far identity has revoked: a gateway that has not applied this revision trusts nothing that it remembers until
 * `identity.revocations` has told it what changed (architecture.md §4).
 */
export const revocationsAnnounced = z.object({ revision: z.int().min(0) });
