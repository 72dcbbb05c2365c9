import { z } from 'zod';

/**
 * What a reader makes of a value that its release does not know. `readAs`: the value that does least harm (no more rights, no
 * message to anybody, checked sooner); of alternatives, the one that an unknown one is taken for. `leftOut`: lists leave it out.
 */
export const unknownValues = z.registry<{ readAs: unknown } | { leftOut: true }>();
