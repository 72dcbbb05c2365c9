import { z } from 'zod';

/** The latest revision of identity. Gateways compare it with the revision that they applied (architecture.md §4). */
export const revocationsAnnounced = z.object({ revision: z.int().min(0) });
