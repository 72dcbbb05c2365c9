import { transaction } from '@casewatch/platform';
import { changeUser } from '../changes/change-user.ts';
import { endSessionsOf } from '../changes/end-sessions.ts';
import type { User } from '../domain/user.ts';
import type { AdminContext } from './admin-context.ts';
import { RefusedError } from './command.ts';

/** Suspends a user as the operator, which ends their sessions, or lifts any suspension; the event goes with it. */
export async function setSuspended(ctx: AdminContext, id: number, suspended: boolean): Promise<User> {
  const set: Partial<User> = suspended
    ? { status: 'suspended', suspended_by: 'operator' }
    : { status: 'active', suspended_by: null };
  return await transaction(ctx.db, async (session) => {
    const user = await ctx.stores.users.find(id, session);
    if (!user) throw new RefusedError(`There is no user ${id}.`);
    if (user.status === set.status && user.suspended_by === set.suspended_by) return user;
    const changed = await changeUser(ctx, session, { user, set });
    if (suspended) await endSessionsOf(ctx, session, { userId: id });
    return changed;
  });
}
