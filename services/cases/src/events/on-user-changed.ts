import type { EventData } from '@casewatch/contracts';
import { applyUserState, syncWatchedCases } from '../changes/user-state.ts';
import type { Context } from '../context.ts';

/** A stale event changes no state, but it completes a sync that was interrupted. */
export function onUserChanged(ctx: Context) {
  return async ({ user_id, version, status }: EventData<'user.updated'>): Promise<void> => {
    const mayChange = await applyUserState(ctx, user_id, { version, status, deleted: false });
    if (mayChange) await syncWatchedCases(ctx, user_id);
  };
}
