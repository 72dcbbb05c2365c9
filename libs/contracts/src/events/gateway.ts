import { z } from 'zod';
import { unknownValues } from '../reading/unknown-values.ts';

/** Whom a rate limit counts: a network address, a partner or an end user (interface.md §1, Limits). */
export const limitPolicy = z.enum(['address', 'partner', 'user']);
export type LimitPolicy = z.infer<typeof limitPolicy>;

/** How many counts one message carries at most. */
export const maxCountsPerMessage = 2_000;

const count = z
  .tuple([limitPolicy, z.string().min(1).max(64), z.int().min(1)])
  .register(unknownValues, { leftOut: true });

/**
 * What one gateway has let in since it last said so: policy, who, how many requests. `ask`: the others are to answer
 * with theirs at once, rather than at their next turn.
 */
export const gatewayCounted = z.object({
  replica: z.string().min(1).max(64),
  ask: z.boolean(),
  counts: z.array(count).max(maxCountsPerMessage),
});
