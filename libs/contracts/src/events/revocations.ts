import { z } from 'zod';
import { isoTime } from '../fields.ts';

/**
 * The latest revision of identity. Gateways compare it with the revision that they applied (architecture.md §4). `now`: the time of
 * identity, which gateways follow.
 */
export const revocationsAnnounced = z.object({ revision: z.int().min(0), now: isoTime.optional() });
