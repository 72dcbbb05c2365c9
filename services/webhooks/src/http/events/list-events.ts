import type { WebhookEvent } from '@casewatch/contracts';
import type { Handler } from '@casewatch/platform';
import { databaseTime, settledBefore } from '@casewatch/platform/database';
import type { Context } from '../../context.ts';
import { typesOf } from '../../domain/event-filter.ts';
import { positionOf } from '../../store/event-lists.ts';

/** As long as an event is stored: a poller that was stopped for days continues where it was. */
const lifetimeMs = 30 * 24 * 60 * 60 * 1_000;
/** Events that one page of a filtered list reads at most; the cursor continues after them. */
const maxScan = 5_000;

/** GET /v1/events: polling with `next_cursor`, oldest first, returns each event once. */
export function listEvents(ctx: Context): Handler<'list_events'> {
  return async ({ caller, query }) => {
    const { type, user_id: userId, since = new Date(0), sort, limit, cursor } = query;
    const scope = {
      operation: 'list_events' as const,
      caller,
      filters: { type, user_id: userId },
      sort,
      lifetimeMs,
    };
    const before = settledBefore(await databaseTime(ctx.db));
    const first = sort === 'at' ? since : before;
    const after = cursor === undefined ? (['', first.getTime()] as const) : ctx.cursors.decode(scope, cursor);
    const scan = type === undefined ? limit + 1 : maxScan;
    const places = await ctx.stores.eventLists.places({
      partnerId: caller.partner_id,
      userId,
      since,
      before,
      direction: sort === 'at' ? 1 : -1,
      after: [...after],
      limit: scan,
    });
    const types = typesOf(type === undefined ? [] : [type]);
    const page = places.filter((place) => types.includes(place.type)).slice(0, limit);
    // The page ends at its last event if it is full, otherwise at the last event that was read.
    const last = page.length === limit ? page.at(-1) : places.at(-1);
    const has_more = last !== undefined && (last !== places.at(-1) || places.length === scan);
    const next_cursor = ctx.cursors.encode(scope, last ? positionOf(last) : [...after]);
    const bodies = await ctx.stores.eventLists.bodies(page.map(({ _id }) => _id));
    const events = bodies.map((body) => JSON.parse(body) as WebhookEvent);
    return { body: { events, has_more, next_cursor } };
  };
}
