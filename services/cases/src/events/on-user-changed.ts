import type { EventData } from '@casewatch/contracts';
import { followUser, hearOfUser } from '../changes/follow-user.ts';
import type { Context } from '../context.ts';

/**
 * A user is new or has changed: the state first, then the cases. A stale event changes no state, but what a newer one
 * left undone is still done.
 */
export function onUserChanged(ctx: Context) {
  return async ({ user_id, version, status }: EventData<'user.updated'>): Promise<void> => {
    await hearOfUser(ctx, user_id, { version, status, deleted: false });
    await followUser(ctx, user_id);
  };
}
