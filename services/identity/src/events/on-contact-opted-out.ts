import type { Channel } from '@casewatch/contracts';
import { type EventHandler, RetryLaterError } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { changeUser } from '../changes/change-user.ts';
import type { Context } from '../context.ts';
import type { User } from '../domain/user.ts';

/** The person unsubscribed or sent STOP. The flag goes off, and a partner cannot switch it on again. */
export function onContactOptedOut(ctx: Context): EventHandler<'contact.opted_out'> {
  return async ({ user_id, channel, at }) => {
    // During a roll-out a newer replica handles the event.
    if (channel === 'other') throw new RetryLaterError('this release does not know the channel');
    await transaction(ctx.db, async (tx) => {
      const user = await ctx.stores.users.find(user_id, tx);
      const set = user && optOut(user, channel, new Date(at));
      if (set) await changeUser(ctx, tx, { user, set });
    });
  };
}

/** Null for a repeated event: the person may have switched the channel on since. */
function optOut(user: User, channel: Channel, at: Date): Partial<User> | null {
  const previous = channel === 'email' ? user.email_opt_out : user.whatsapp_opt_out;
  if (previous !== null && previous.at.getTime() >= at.getTime()) return null;
  const optedOut = { at, lifted_at: null };
  return channel === 'email'
    ? { notify_by_email: false, email_opt_out: optedOut }
    : { notify_by_whatsapp: false, whatsapp_consent: null, whatsapp_opt_out: optedOut };
}
