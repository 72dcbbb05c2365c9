import type { EventHandler } from '@casewatch/platform';
import { eraseUser } from '../changes/erase.ts';
import { applyUserState } from '../changes/user-state.ts';
import type { Context } from '../context.ts';

/** As `user.deleted`, which the stream does not keep as long: also for people whom a restored backup brought back. */
export function onErasureRecorded(ctx: Context): EventHandler<'erasure.recorded'> {
  return async ({ user_id, erased_at }) => {
    // A deleted user stays deleted, whatever the version.
    await applyUserState(ctx, user_id, { version: 1, status: 'inactive', deleted: true });
    await eraseUser(ctx, user_id, new Date(erased_at));
  };
}
