import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { ingestEvent } from './ingest-event.ts';

/** Writes the tombstone first: an event that is stored in parallel finds it afterwards (ingest-event.ts). */
export function onUserDeleted(ctx: Context): EventHandler<'user.deleted'> {
  return async ({ version, ...owner }, bus) => {
    const { user_id: id } = owner;
    await ctx.stores.erasedUsers.add(id, ctx.clock.now());
    await ctx.stores.deliveries.eraseUser(id);
    await ctx.stores.events.eraseUser(id);
    const data = { user: { id, version } };
    await ingestEvent(ctx, { type: 'user.deleted', owner, bus, describe: async () => data });
  };
}
