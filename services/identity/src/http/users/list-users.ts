import {
  type Caller,
  maxFound,
  type PartnerPrincipal,
  type Query,
  toPartnerTime,
  type UserPrincipal,
} from '@casewatch/contracts';
import { ApiError, csvFile, type Handler, readPage } from '@casewatch/platform';
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

const head = [
  'id',
  'email',
  'name',
  'phone',
  'preferred_language',
  'status',
  'email_verified_at',
  'notify_by_email',
  'notify_by_whatsapp',
  'created_at',
  'updated_at',
] as const;

/** GET /v1/client/users.csv, newest first. */
export function exportUsers(ctx: Context): Handler<'export_users'> {
  return async ({ caller, query }) => {
    const { partner_id: partnerId } = caller;
    const { name: text } = query;
    const found =
      text === undefined
        ? null
        : await ctx.stores.users.search({ partnerId, text, inAddress: false, limit: maxFound });
    if (found?.more)
      throw new ApiError('invalid_parameter', {
        message: 'More people match `name` than a search can find. Send more letters, or another filter.',
      });
    const filter = { ...filterOf(caller, query, found?.ids), direction: -1 } as const;
    const file = await csvFile<ListedUser>({
      head,
      read: (after, limit) => ctx.stores.users.list({ ...filter, after, limit }),
      positionOf: (user) => [user.created_at.getTime(), user._id],
      async linesOf(rows) {
        const users = rows.map((user) => presentUser(user, toPartnerTime));
        return users.map((user) => head.map((field) => user[field]));
      },
    });
    return { file };
  };
}

type Filters = Query<'list_users'> & Partial<Query<'list_partner_users'>>;
type Listing = {
  operation: 'list_users' | 'list_partner_users';
  query: Filters & { sort: 'created_at' | '-created_at' };
};

/** What the store finds by. `ids`: the people whose name was searched for. */
function filterOf(
  { partner_id: partnerId }: PartnerPrincipal,
  { status, email, created_since: createdSince, verified: isVerified }: Omit<Filters, 'limit' | 'cursor'>,
  ids: readonly number[] | undefined,
) {
  const emailLower = email === undefined ? undefined : toEmailLower(email);
  return { partnerId, status, emailLower, ids, createdSince, isVerified };
}

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
      const direction = sort === 'created_at' ? 1 : -1;
      return await ctx.stores.users.list({ ...filterOf(caller, query, ids), direction, after, limit });
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
