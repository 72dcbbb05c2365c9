import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { changeUserOfCaller } from './users/change-user-of-caller.ts';
import { partnerCaller } from './users/load-user.ts';
import { presentUser } from '../present/user.ts';

/** PUT /v1/client/users/{user_id} */
export function updatePartnerUser(ctx: Context): Handler<'update_partner_user'> {
  return async ({ principal, params, body }) => {
    const change = { caller: partnerCaller(principal), id: params.user_id, changes: body };
    const { user } = await changeUserOfCaller(ctx, change);
    return { body: { success: true, message: 'User updated.', user: presentUser(user) } };
  };
}
