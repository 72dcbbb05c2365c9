import type { EventHandler } from '@casewatch/platform';
import { askUser } from '../clients/owners.ts';
import type { Context } from '../context.ts';
import { describeUserVersion } from '../present/describe.ts';
import { takeIn } from './take-in.ts';

type Change = 'user.created' | 'user.updated' | 'user.email_verified';

/** `user.created`, `user.updated`, `user.email_verified`: the user as they are after the change. */
export function onUserChanged(type: Change) {
  return (ctx: Context): EventHandler<Change> =>
    async ({ user_id: userId, partner_id: partnerId, version }, bus) => {
      await takeIn(ctx, {
        type,
        partnerId,
        userId,
        bus,
        async describe(partner) {
          const user = await askUser(ctx.bus, { user_id: userId, partner_id: partner }, version);
          return user && { user: describeUserVersion(user) };
        },
      });
    };
}
