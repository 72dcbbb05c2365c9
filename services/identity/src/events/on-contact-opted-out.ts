import { type EventHandler, RetryLaterError, transaction } from '@casewatch/platform';
import { changeUser } from '../changes/change-user.ts';
import type { Context } from '../context.ts';
import { decideOptOut } from '../domain/opt-out.ts';

/** The person unsubscribed or sent STOP: the flag goes off, and a partner cannot switch it on again. */
export function onContactOptedOut(ctx: Context): EventHandler<'contact.opted_out'> {
  return async ({ user_id, channel, at }) => {
    // A newer replica knows the channel: during a roll-out it takes the event.
    if (channel === 'other') throw new RetryLaterError('this release does not know the channel');
    await transaction(ctx.db, async (tx) => {
      const user = await ctx.stores.users.find(user_id, tx);
      if (!user) return; // Deleted meanwhile: there is nothing left to switch off.
      const set = decideOptOut(user, channel, new Date(at));
      if (set) await changeUser(ctx, tx, { user, set });
    });
  };
}
