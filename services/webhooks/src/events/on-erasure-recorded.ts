import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** Erases the rows of the user, also those that a restored backup brought back. */
export function onErasureRecorded(ctx: Context): EventHandler<'erasure.recorded'> {
  return async ({ user_id, erased_at }) => {
    await ctx.eraseUser({ user_id, erased_at: new Date(erased_at) });
  };
}
