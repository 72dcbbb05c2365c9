import type { WebhookEvent } from '@casewatch/contracts';
import { databaseTime, type Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** A transaction of 5 s can still write events before this age, ms (webhooks.md, Events). */
const settledAfterMs = 7_000;
/** As long as an event is stored: a poller that was stopped for days continues where it was. */
const lifetimeMs = 30 * 24 * 60 * 60 * 1_000;
const sort = 'intake_at';

/** GET /v1/events: polling with `next_cursor` returns each event once. */
export function listEvents(ctx: Context): Handler<'list_events'> {
  return async ({ caller, query }) => {
    const { type, since, limit, cursor } = query;
    const scope = { operation: 'list_events' as const, caller, filters: { type }, sort, lifetimeMs };
    const start = cursor === undefined ? null : ctx.cursors.decode(scope, cursor);
    const now = await databaseTime(ctx.db);
    const { bodies, position, hasMore } = await ctx.stores.eventLists.settledPage({
      partnerId: caller.partner_id,
      filter: type,
      since: since ?? new Date(0),
      before: new Date(now.getTime() - settledAfterMs),
      after: start ?? ['', since?.getTime() ?? 0],
      limit,
    });
    const next_cursor = ctx.cursors.encode(scope, position);
    const events = bodies.map((body) => JSON.parse(body) as WebhookEvent);
    return { body: { events, has_more: hasMore, next_cursor } };
  };
}
