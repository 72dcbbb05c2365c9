import type { EventHandler } from '@casewatch/platform';
import { eraseUser } from '../changes/erase.ts';
import { applyUserState } from '../changes/user-state.ts';
import type { Context } from '../context.ts';

/** Writes the tombstone first, so that no case can be created during the erasure. */
export function onUserDeleted(ctx: Context): EventHandler<'user.deleted'> {
  return async ({ user_id, version }) => {
    await applyUserState(ctx, user_id, { version, status: 'inactive', deleted: true });
    await eraseUser(ctx, user_id);
  };
}
