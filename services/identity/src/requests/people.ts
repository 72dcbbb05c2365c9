import type { UserReply } from '@casewatch/contracts';
import { ApiError, type RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentPartnerReply } from '../present/partner-reply.ts';
import { presentUserReply } from '../present/user-reply.ts';

/** @throws ApiError user_not_found, for the first user only */
export function answerUser(ctx: Context): RequestHandler<'identity.user'> {
  return async ({ user_id, more_ids }) => {
    if (more_ids === undefined) return await answerOneUser(ctx, user_id);
    const rows = await ctx.stores.users.findSome([user_id, ...more_ids]);
    const rowOf = new Map(rows.map((row) => [row._id, row]));
    const reply = async (id: number) => {
      const row = rowOf.get(id);
      return row ? presentUserReply(ctx, row, await ctx.stores.partners.brandOf(row.partner_id)) : null;
    };
    const user = await reply(user_id);
    if (user === null) throw new ApiError('user_not_found');
    return { ...user, more: await Promise.all(more_ids.map(reply)) };
  };
}

async function answerOneUser(ctx: Context, userId: number): Promise<UserReply> {
  const user = await ctx.stores.users.find(userId);
  if (!user) throw new ApiError('user_not_found');
  return presentUserReply(ctx, user, await ctx.stores.partners.brandOf(user.partner_id));
}

/** One question for a batch of messages, instead of two for each message. */
export function answerRecipients(ctx: Context): RequestHandler<'identity.recipients'> {
  return async ({ user_ids }) => {
    const users = await ctx.stores.users.findSome(user_ids);
    const partnerIds = new Set(users.flatMap(({ partner_id }) => partner_id ?? []));
    const partners = partnerIds.size === 0 ? [] : await ctx.stores.partners.findAll([...partnerIds]);
    const partnerOf = new Map(partners.map((partner) => [partner._id, partner]));
    return {
      users: users.map((user) => presentUserReply(ctx, user, partnerOf.get(user.partner_id ?? 0) ?? null)),
      partners: partners.map((partner) => presentPartnerReply(ctx, partner)),
    };
  };
}

/** @throws ApiError user_not_found, also for another tenant's user */
export function answerPartnerUser(ctx: Context): RequestHandler<'identity.partner_user'> {
  return async ({ user_id, partner_id }) => {
    const user = await answerOneUser(ctx, user_id);
    if (user.partner_id !== partner_id) throw new ApiError('user_not_found');
    return user;
  };
}

/** Null for a user that is not found or belongs to another tenant. */
export function answerPartnerUsers(ctx: Context): RequestHandler<'identity.partner_users'> {
  return async ({ users: questions, languages_only: isOfLanguages = false }) => {
    const ids = questions.map(({ user_id }) => user_id);
    if (isOfLanguages) {
      const rows = answersTo(questions, await ctx.stores.users.languagesOf(ids));
      return { users: [], languages: rows.map((row) => row?.preferred_language ?? null) };
    }
    const rows = answersTo(questions, await ctx.stores.users.findSome(ids));
    const reply = async (row: (typeof rows)[number]) =>
      row && presentUserReply(ctx, row, await ctx.stores.partners.brandOf(row.partner_id));
    return { users: await Promise.all(rows.map(reply)) };
  };
}

type Question = { user_id: number; partner_id: number };

function answersTo<Row extends { _id: number; partner_id: number | null }>(
  questions: readonly Question[],
  rows: readonly Row[],
): (Row | null)[] {
  const rowOf = new Map(rows.map((row) => [row._id, row]));
  return questions.map(({ user_id, partner_id }) => {
    const row = rowOf.get(user_id);
    return row?.partner_id === partner_id ? row : null;
  });
}

/** The languages of a partner's users. Users of other tenants are left out. */
export function answerUsers(ctx: Context): RequestHandler<'identity.users'> {
  return async ({ more, ...page }) => {
    const pages = [page, ...(more ?? [])];
    const rows = await ctx.stores.users.languagesOf(pages.flatMap(({ user_ids }) => user_ids));
    const rowOf = new Map(rows.map((row) => [row._id, row]));
    const languagesOf = ({ partner_id, user_ids }: typeof page) =>
      user_ids.flatMap((id) => {
        const row = rowOf.get(id);
        return row?.partner_id === partner_id ? [{ id, preferred_language: row.preferred_language }] : [];
      });
    return { users: languagesOf(page), ...(more && { more: more.map(languagesOf) }) };
  };
}

export function answerPartner(ctx: Context): RequestHandler<'identity.partner'> {
  return async ({ partner_id }) => {
    const partner = await ctx.stores.partners.find(partner_id);
    // Partners are never deleted.
    if (!partner) throw new ApiError('internal_error', { detail: `there is no partner ${partner_id}` });
    return presentPartnerReply(ctx, partner);
  };
}
