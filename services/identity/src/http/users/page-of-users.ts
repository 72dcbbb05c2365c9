import type { OperationName, UserStatus } from '@casewatch/contracts';
import type { CursorScope } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { toEmailLower, type User } from '../../domain/user.ts';

type Filters = {
  limit: number;
  cursor?: string | undefined;
  status?: UserStatus | undefined;
  email?: string | undefined;
  created_since?: Date | undefined;
  sort: 'created_at' | '-created_at';
};
type Asked = { operation: OperationName; partnerId: number; query: Filters };
type UserPage = { rows: User[]; page: { has_more: boolean; next_cursor: string | null } };

/**
 * A page of a partner's users.
 * @throws ApiError invalid_cursor
 */
export async function pageOfUsers(ctx: Context, asked: Asked): Promise<UserPage> {
  const { partnerId, query } = asked;
  const scope = scopeOf(asked);
  const found = await ctx.stores.users.list({
    partnerId,
    status: query.status,
    emailLower: query.email === undefined ? undefined : toEmailLower(query.email),
    createdSince: query.created_since,
    direction: query.sort === 'created_at' ? 1 : -1,
    after: query.cursor === undefined ? null : positionOf(ctx, scope, query.cursor),
    limit: query.limit + 1,
  });
  const rows = found.slice(0, query.limit);
  const hasMore = found.length > query.limit;
  const last = rows.at(-1);
  const nextCursor =
    hasMore && last ? ctx.cursors.encode(scope, [last.created_at.getTime(), last._id]) : null;
  return { rows, page: { has_more: hasMore, next_cursor: nextCursor } };
}

/** A cursor is good for this caller, these filters and this order alone (interface.md §1). */
function scopeOf({ operation, partnerId, query }: Asked): CursorScope {
  const { status, email, created_since, sort } = query;
  return { operation, caller: `partner:${partnerId}`, filters: { status, email, created_since }, sort };
}

function positionOf(ctx: Context, scope: CursorScope, cursor: string): { createdAt: Date; id: User['_id'] } {
  const [createdAt, id] = ctx.cursors.decode(scope, cursor);
  return { createdAt: new Date(Number(createdAt)), id };
}
