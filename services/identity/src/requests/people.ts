import { maxFound, type PersonField } from '@casewatch/contracts';
import { ApiError, type RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { User } from '../domain/user.ts';
import { presentPerson } from '../present/person.ts';

/**
 * The fields of people that another service asks for, and no others. Who was never there, is deleted, or belongs to another
 * partner than the one that the question names, is absent. An id that is there twice is answered once.
 */
export function answerPeople(ctx: Context): RequestHandler<'identity.people'> {
  return async ({ ids, fields, partner_id }, asker) => {
    // It serves partners alone, and reads no direct user.
    if (asker === 'webhooks' && partner_id === undefined)
      throw new ApiError('internal_error', { detail: 'webhooks has to name the partner of the people' });
    const found = await ctx.stores.users.findSome(ids);
    const users = found.filter((user) => partner_id === undefined || user.partner_id === partner_id);
    const partnerOf = await partnersOf(ctx, users, fields);
    const asked = new Set<string>(['id', ...fields]);
    return {
      people: users.map((user) => {
        const person = presentPerson(ctx, user, partnerOf.get(user.partner_id ?? 0) ?? null);
        return {
          ...Object.fromEntries(Object.entries(person).filter(([name]) => asked.has(name))),
          id: person.id,
        };
      }),
    };
  };
}

/** People by words of their names and addresses. The words stand in no log. */
export function answerFind(ctx: Context): RequestHandler<'identity.find'> {
  return async ({ partner_id: partnerId, q: text }) => {
    const search = { partnerId, text, inAddress: true, limit: maxFound };
    const { ids: user_ids, more } = await ctx.stores.users.search(search);
    return { user_ids, more };
  };
}

/** The partners of the users by id, if a field needs them. */
async function partnersOf({ stores }: Context, users: readonly User[], fields: readonly PersonField[]) {
  const isAsked = fields.some((field) => field.startsWith('partner_') && field !== 'partner_id');
  const ids = new Set(isAsked ? users.flatMap(({ partner_id }) => partner_id ?? []) : []);
  const partners = ids.size === 0 ? [] : await stores.partners.findAll([...ids]);
  return new Map(partners.map((partner) => [partner._id, partner]));
}

export function answerPartner(ctx: Context): RequestHandler<'identity.partner'> {
  return async ({ partner_id }) => {
    const partner = await ctx.stores.partners.find(partner_id);
    // Partners are never deleted.
    if (!partner) throw new ApiError('internal_error', { detail: `there is no partner ${partner_id}` });
    return { email: partner.email, case_limit: partner.case_limit ?? null };
  };
}
