import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { ingestEvent } from './ingest-event.ts';

export function onUserDeleted(ctx: Context): EventHandler<'user.deleted'> {
  return async ({ version, ...owner }, bus) => {
    const { user_id: id } = owner;
    const data = { user: { id, version } };
    const ingested = ingestEvent(ctx, { type: 'user.deleted', owner, bus, describe: async () => data });
    await Promise.all([ctx.eraseUser({ user_id: id, erased_at: bus.time }), ingested]);
  };
}
