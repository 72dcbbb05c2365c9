import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { partnerCaller } from './users/load-user.ts';
import { pageOfUsers } from './users/page-of-users.ts';
import { presentPartnerUser } from '../present/user.ts';

/** GET /v1/client/users: a partner's users, newest first unless asked otherwise. */
export function listPartnerUsers(ctx: Context): Handler<'list_partner_users'> {
  return async ({ principal, query }) => {
    const { partner_id: partnerId } = partnerCaller(principal);
    const { rows, page } = await pageOfUsers(ctx, { operation: 'list_partner_users', partnerId, query });
    return { body: { users: rows.map(presentPartnerUser), ...page } };
  };
}
