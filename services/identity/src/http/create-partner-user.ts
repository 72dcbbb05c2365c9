import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { createUserOfPartner } from './users/create-user-of-partner.ts';
import { partnerCaller } from './users/load-user.ts';

/** POST /v1/client/users */
export function createPartnerUser(ctx: Context): Handler<'create_partner_user'> {
  return async ({ principal, body, remember }) => {
    const { send_verification: sendVerification, ...fields } = body;
    const caller = partnerCaller(principal);
    return await createUserOfPartner(ctx, {
      caller,
      body: fields,
      sendVerification,
      list: '/v1/client/users',
      remember,
    });
  };
}
