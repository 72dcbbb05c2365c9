import type { EventHandler } from '@casewatch/platform';
import { eraseUser } from '../changes/erase-user.ts';
import { hearOfUser } from '../changes/follow-user.ts';
import type { Context } from '../context.ts';

/** A user was deleted: the tombstone first, so that no case can be made any more, then all that is theirs. */
export function onUserDeleted(ctx: Context): EventHandler<'user.deleted'> {
  return async ({ user_id, version }) => {
    await hearOfUser(ctx, user_id, { version, status: 'inactive', deleted: true });
    await eraseUser(ctx, user_id);
  };
}
