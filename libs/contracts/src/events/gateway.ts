import { z } from 'zod';
import { unknownValues } from '../reading/unknown-values.ts';

/** interface.md §1, Limits */
export const limitPolicy = z.enum(['address', 'partner', 'user']);
export type LimitPolicy = z.infer<typeof limitPolicy>;

export const maxCountsPerMessage = 2_000;

const count = z
  .tuple([limitPolicy, z.string().min(1).max(64), z.int().min(1)])
  .register(unknownValues, { leftOut: true });

/** Requests that a gateway allowed since its last message. `ask`: the others publish theirs immediately. */
export const gatewayCounted = z.object({
  replica: z.string().min(1).max(64),
  ask: z.boolean(),
  counts: z.array(count).max(maxCountsPerMessage),
});
