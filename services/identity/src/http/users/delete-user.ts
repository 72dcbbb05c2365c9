import type { Handler } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { deleteUserOfCaller } from './delete-user-of-caller.ts';
import { knownCaller } from './load-user.ts';

/** DELETE /v1/users/{user_id}: a person, who signed in lately, deletes themselves. */
export function deleteUser(ctx: Context): Handler<'delete_user'> {
  return async ({ principal, params }) => {
    await deleteUserOfCaller(ctx, { caller: knownCaller(principal), id: params.user_id });
    return { body: { success: true, message: 'You are deleted, and your cases are no longer watched.' } };
  };
}
