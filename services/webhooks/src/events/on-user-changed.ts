import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { describeUserVersion } from '../present/describe.ts';
import { ingestEvent } from './ingest-event.ts';

type Change = 'user.created' | 'user.updated' | 'user.email_verified';

export function onUserChanged(type: Change) {
  return (ctx: Context): EventHandler<Change> =>
    async ({ version, ...owner }, bus) => {
      await ingestEvent(ctx, {
        type,
        owner,
        bus,
        async describe(partner_id) {
          const user = await ctx.owners.fetchUser({ user_id: owner.user_id, partner_id }, version);
          return user && { user: describeUserVersion(user) };
        },
      });
    };
}
