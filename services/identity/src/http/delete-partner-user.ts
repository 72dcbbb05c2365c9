import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { deleteUserOfCaller } from './users/delete-user-of-caller.ts';
import { partnerCaller } from './users/load-user.ts';

/** DELETE /v1/client/users/{user_id} */
export function deletePartnerUser(ctx: Context): Handler<'delete_partner_user'> {
  return async ({ principal, params }) => {
    await deleteUserOfCaller(ctx, { caller: partnerCaller(principal), id: params.user_id });
    return { body: { success: true, message: 'User deleted; their cases are no longer watched.' } };
  };
}
