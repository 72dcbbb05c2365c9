import type { ReplyInput, RequestData } from '@casewatch/contracts';
import type { Context } from '../context.ts';

/** `identity.users`: the languages of a partner's users, all in one answer. Others' users are left out. */
export async function answerUsers(
  ctx: Context,
  { partner_id, user_ids }: RequestData<'identity.users'>,
): Promise<ReplyInput<'identity.users'>> {
  const users = await ctx.stores.users.languagesOf(partner_id, user_ids);
  return { users: users.map(({ _id, preferred_language }) => ({ id: _id, preferred_language })) };
}
