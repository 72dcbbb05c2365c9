import { toIso, type UserReply } from '@casewatch/contracts';
import { ApiError, type RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { User } from '../domain/user.ts';

/** @throws ApiError user_not_found */
export function answerUser(ctx: Context): RequestHandler<'identity.user'> {
  return async ({ user_id }) => {
    const user = await ctx.stores.users.find(user_id);
    if (!user) throw new ApiError('user_not_found');
    return presentUser(user, await ctx.stores.partners.nameOf(user.partner_id));
  };
}

/** One question for a batch of messages, instead of two for each message. */
export function answerRecipients(ctx: Context): RequestHandler<'identity.recipients'> {
  return async ({ user_ids }) => {
    const users = await ctx.stores.users.findAll(user_ids);
    const partnerIds = new Set(users.flatMap(({ partner_id }) => partner_id ?? []));
    const partners = partnerIds.size === 0 ? [] : await ctx.stores.partners.findAll([...partnerIds]);
    const names = new Map(partners.map(({ _id, name }) => [_id, name]));
    return {
      users: users.map((user) => presentUser(user, names.get(user.partner_id ?? 0) ?? null)),
      partners: partners.map(({ _id, ...rest }) => ({ id: _id, ...rest })),
    };
  };
}

function presentUser(user: User, partnerName: string | null): UserReply {
  return {
    id: user._id,
    partner_id: user.partner_id,
    partner_name: partnerName,
    email: user.email,
    name: user.name,
    phone: user.phone,
    status: user.status,
    preferred_language: user.preferred_language,
    notify_by_email: user.notify_by_email,
    notify_by_whatsapp: user.notify_by_whatsapp,
    whatsapp_consent_at: toIso(user.whatsapp_consent?.at ?? null),
    email_verified_at: toIso(user.email_verified_at),
    version: user.version,
    created_at: toIso(user.created_at),
    updated_at: toIso(user.updated_at),
  };
}

/** @throws ApiError user_not_found, also for another tenant's user */
export function answerPartnerUser(ctx: Context): RequestHandler<'identity.partner_user'> {
  const answer = answerUser(ctx);
  return async ({ user_id, partner_id }) => {
    const user = await answer({ user_id });
    if (user.partner_id !== partner_id) throw new ApiError('user_not_found');
    return user;
  };
}

/** The languages of a partner's users. Users of other tenants are left out. */
export function answerUsers(ctx: Context): RequestHandler<'identity.users'> {
  return async ({ partner_id, user_ids }) => {
    const users = await ctx.stores.users.languagesOf(partner_id, user_ids);
    return { users: users.map(({ _id, preferred_language }) => ({ id: _id, preferred_language })) };
  };
}

export function answerPartner(ctx: Context): RequestHandler<'identity.partner'> {
  return async ({ partner_id }) => {
    const partner = await ctx.stores.partners.find(partner_id);
    // Partners are never deleted.
    if (!partner) throw new ApiError('internal_error', { detail: `there is no partner ${partner_id}` });
    const { _id, ...rest } = partner;
    return { id: _id, ...rest };
  };
}
