import type { Query } from '@casewatch/contracts';
import type { CursorScope, Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { toEmailLower, type User } from '../domain/user.ts';
import { partnerCaller } from './load-user.ts';
import { presentPartnerUser } from './present-user.ts';

/** GET /v1/client/users: a partner's users, newest first unless asked otherwise. */
export function listPartnerUsers(ctx: Context): Handler<'list_partner_users'> {
  return async ({ principal, query }) => {
    const { partner_id } = partnerCaller(principal);
    const scope = scopeOf(partner_id, query);
    const rows = await ctx.stores.users.list({
      partnerId: partner_id,
      status: query.status,
      emailLower: query.email === undefined ? undefined : toEmailLower(query.email),
      createdSince: query.created_since,
      direction: query.sort === 'created_at' ? 1 : -1,
      after: query.cursor === undefined ? null : positionOf(ctx, scope, query.cursor),
      limit: query.limit + 1,
    });
    const users = rows.slice(0, query.limit);
    const hasMore = rows.length > query.limit;
    const last = users.at(-1);
    const nextCursor =
      hasMore && last ? ctx.cursors.encode(scope, [last.created_at.getTime(), last._id]) : null;
    return { body: { users: users.map(presentPartnerUser), has_more: hasMore, next_cursor: nextCursor } };
  };
}

/** A cursor is good for this caller, these filters and this order alone (interface.md §1). */
function scopeOf(partnerId: number, query: Query<'list_partner_users'>): CursorScope {
  const { status, email, created_since, sort } = query;
  return {
    operation: 'list_partner_users',
    caller: `partner:${partnerId}`,
    filters: { status, email, created_since },
    sort,
  };
}

function positionOf(ctx: Context, scope: CursorScope, cursor: string): { createdAt: Date; id: User['_id'] } {
  const [createdAt, id] = ctx.cursors.decode(scope, cursor);
  return { createdAt: new Date(Number(createdAt)), id };
}
