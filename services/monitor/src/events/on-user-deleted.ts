import type { EventHandler } from '@casewatch/platform';
import { endWatchesOf, eraseChecks } from '../changes/erase-user.ts';
import type { Context } from '../context.ts';

/** The cases of the user end by their own events. */
export function onUserDeleted(ctx: Pick<Context, 'stores' | 'log'>): EventHandler<'user.deleted'> {
  return async ({ user_id, partner_id }, { time }) => {
    await eraseChecks(ctx, { user_id, partner_id, erased_at: time });
  };
}

/** Also of people whom a restored backup brought back: the events of their cases may be gone. */
export function onErasureRecorded(ctx: Context): EventHandler<'erasure.recorded'> {
  return async ({ user_id, partner_id, erased_at }) => {
    await eraseChecks(ctx, { user_id, partner_id, erased_at: new Date(erased_at) });
    await endWatchesOf(ctx, user_id, ctx.clock.now());
  };
}
