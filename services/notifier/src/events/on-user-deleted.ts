import type { EventHandler } from '@casewatch/platform';
import { eraseUser } from '../changes/erase-user.ts';
import type { Context } from '../context.ts';

export function onUserDeleted(ctx: Context): EventHandler<'user.deleted'> {
  return ({ user_id }, { time }) => eraseUser(ctx, { user_id, erased_at: time });
}

/** Also of people whom a restored backup brought back. */
export function onErasureRecorded(ctx: Context): EventHandler<'erasure.recorded'> {
  return ({ user_id, erased_at }) => eraseUser(ctx, { user_id, erased_at: new Date(erased_at) });
}
