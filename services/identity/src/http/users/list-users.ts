import type { Query, UserPrincipal } from '@casewatch/contracts';
import type { Handler } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { toEmailLower, type User } from '../../domain/user.ts';
import { knownCaller } from './load-user.ts';
import { pageOfUsers } from './page-of-users.ts';
import { presentUser } from '../../present/user.ts';

/** GET /v1/users: a partner's users, newest first; a person sees oneself. */
export function listUsers(ctx: Context): Handler<'list_users'> {
  return async ({ principal, query }) => {
    const caller = knownCaller(principal);
    if (caller.kind === 'user') {
      const users = await oneself(ctx, caller, query);
      return { body: { users: users.map(presentUser), has_more: false, next_cursor: null } };
    }
    const { rows, page } = await pageOfUsers(ctx, {
      operation: 'list_users',
      partnerId: caller.partner_id,
      query: { ...query, sort: '-created_at' },
    });
    return { body: { users: rows.map(presentUser), ...page } };
  };
}

/** One person is one page, so no cursor was ever given out for it. */
async function oneself(ctx: Context, caller: UserPrincipal, query: Query<'list_users'>): Promise<User[]> {
  if (query.cursor !== undefined) {
    const scope = {
      operation: 'list_users',
      caller: `user:${caller.user_id}`,
      filters: {},
      sort: '-created_at',
    };
    ctx.cursors.decode(scope, query.cursor);
  }
  const user = await ctx.stores.users.find(caller.user_id);
  const isWanted =
    (query.status ?? user?.status) === user?.status &&
    toEmailLower(query.email ?? user?.email ?? '') === user?.email_lower;
  return user && isWanted ? [user] : [];
}
