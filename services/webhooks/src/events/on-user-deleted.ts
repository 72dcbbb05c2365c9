import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { ingestEvent } from './ingest-event.ts';

export function onUserDeleted(ctx: Context): EventHandler<'user.deleted'> {
  return async ({ version, ...owner }, bus) => {
    const { user_id: id } = owner;
    await ctx.eraseUser(id);
    const data = { user: { id, version } };
    await ingestEvent(ctx, { type: 'user.deleted', owner, bus, describe: async () => data });
  };
}
