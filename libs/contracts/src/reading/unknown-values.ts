import { z } from 'zod';

/**
 * A value of a newer release. `readAs`: the harmless replacement (fewer rights, no message, checked sooner).
 * `leftOut`: lists drop it.
 */
export const unknownValues = z.registry<{ readAs: unknown } | { leftOut: true }>();
