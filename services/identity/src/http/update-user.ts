import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { changeUserOfCaller } from './change-user-of-caller.ts';
import { knownCaller } from './load-user.ts';
import { presentUserOfUpdate } from './present-user.ts';

/** PUT /v1/users/{user_id}: the person themselves, or their partner. */
export function updateUser(ctx: Context): Handler<'update_user'> {
  return async ({ principal, params, body }) => {
    const change = { caller: knownCaller(principal), id: params.user_id, changes: body };
    const user = await changeUserOfCaller(ctx, change);
    return { body: { success: true, message: 'User updated.', user: presentUserOfUpdate(user) } };
  };
}
