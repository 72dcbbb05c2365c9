import type { Handler } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { knownCaller, loadUser } from './load-user.ts';
import { presentUser } from '../../present/user.ts';

/** GET /v1/users/{user_id} */
export function getUser(ctx: Context): Handler<'get_user'> {
  return async ({ principal, params }) => {
    const user = await loadUser(ctx, { caller: knownCaller(principal), id: params.user_id });
    return { body: { user: presentUser(user) } };
  };
}
