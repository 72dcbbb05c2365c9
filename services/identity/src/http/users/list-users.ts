import { type Caller, maxFound, type Query, toPartnerTime, type UserPrincipal } from '@casewatch/contracts';
import { type Handler, readPage } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { toEmailLower } from '../../domain/user.ts';
import { presentUser } from '../../present/user.ts';
import type { ListedUser } from '../../store/users.ts';

/** GET /v1/users: a partner's users, newest first; for a person, only that person. */
export function listUsers(ctx: Context): Handler<'list_users'> {
  return async ({ caller, query }) => {
    const listing = { operation: 'list_users', query: { ...query, sort: '-created_at' } } as const;
    const { rows, page } = await findUsers(ctx, caller, listing);
    return { body: { users: rows.map((user) => presentUser(user)), ...page } };
  };
}

/** GET /v1/client/users */
export function listPartnerUsers(ctx: Context): Handler<'list_partner_users'> {
  return async ({ caller, query }) => {
    const { partner_id: partnerId } = caller;
    const { name: text } = query;
    const search = text === undefined ? null : { partnerId, text, inAddress: false, limit: maxFound };
    const found = search && (await ctx.stores.users.search(search));
    const { rows, page } = await findUsers(
      ctx,
      caller,
      { operation: 'list_partner_users', query },
      found?.ids,
    );
    const users = rows.map((user) => presentUser(user, toPartnerTime));
    return { body: { users, ...page, type_more: found?.more ?? false } };
  };
}

type Filters = Query<'list_users'> & Partial<Query<'list_partner_users'>>;
type Listing = {
  operation: 'list_users' | 'list_partner_users';
  query: Filters & { sort: 'created_at' | '-created_at' };
};

/** @throws ApiError invalid_cursor */
async function findUsers(
  ctx: Context,
  caller: Caller,
  { operation, query }: Listing,
  ids?: readonly number[],
) {
  const { status, email, name, created_since, verified, sort, cursor, limit } = query;
  return await readPage<ListedUser>({
    cursors: ctx.cursors,
    scope: { operation, caller, filters: { status, email, name, created_since, verified }, sort },
    cursor,
    limit,
    read: async (after, limit) => {
      if (caller.kind === 'user') return await listSelf(ctx, caller, query);
      return await ctx.stores.users.list({
        partnerId: caller.partner_id,
        status,
        emailLower: email === undefined ? undefined : toEmailLower(email),
        ids,
        createdSince: created_since,
        isVerified: verified,
        direction: sort === 'created_at' ? 1 : -1,
        after,
        limit,
      });
    },
    positionOf: (user) => [user.created_at.getTime(), user._id],
  });
}

async function listSelf(
  ctx: Context,
  caller: UserPrincipal,
  { status, email }: Filters,
): Promise<ListedUser[]> {
  const user = await ctx.stores.users.find(caller.user_id);
  if (user === null || (status ?? user.status) !== user.status) return [];
  return toEmailLower(email ?? user.email) === user.email_lower ? [user] : [];
}
