import type { RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** `identity.users`: the languages of a partner's users, all in one answer. Others' users are left out. */
export function answerUsers(ctx: Context): RequestHandler<'identity.users'> {
  return async ({ partner_id, user_ids }) => {
    const users = await ctx.stores.users.languagesOf(partner_id, user_ids);
    return { users: users.map(({ _id, preferred_language }) => ({ id: _id, preferred_language })) };
  };
}
