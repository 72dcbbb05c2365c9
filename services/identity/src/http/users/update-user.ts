import type { Handler } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { presentUser, presentUserOfUpdate } from '../../present/user.ts';
import { changeUserOfCaller } from './change-user-of-caller.ts';

/** The same where the new address belongs to another user: that is not told (quality.md, no enumeration). */
const askedMessage =
  'User updated. We have sent a link to the new address. It takes effect when it is confirmed; ' +
  'until then your present address stays.';

/** PUT /v1/users/{user_id}: the person themselves, or their partner. */
export function updateUser(ctx: Context): Handler<'update_user'> {
  return async ({ caller, params, body }) => {
    const { user, isAsked } = await changeUserOfCaller(ctx, { caller, id: params.user_id, changes: body });
    const message = isAsked ? askedMessage : 'User updated.';
    return { body: { success: true, message, user: presentUserOfUpdate(user) } };
  };
}

/** PUT /v1/client/users/{user_id} */
export function updatePartnerUser(ctx: Context): Handler<'update_partner_user'> {
  return async ({ caller, params, body }) => {
    const { user } = await changeUserOfCaller(ctx, { caller, id: params.user_id, changes: body });
    return { body: { success: true, message: 'User updated.', user: presentUser(user) } };
  };
}
