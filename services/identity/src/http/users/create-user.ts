import type { Handler } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { createUserOfPartner } from './create-user-of-partner.ts';
import { signUp } from './sign-up.ts';

/** POST /v1/users: a partner's new user, or somebody signs up. */
export function createUser(ctx: Context): Handler<'create_user'> {
  return async ({ principal, body, address, remember }) => {
    if (principal.kind !== 'partner') return await signUp(ctx, body, address);
    return await createUserOfPartner(ctx, {
      caller: principal,
      body,
      sendVerification: true,
      list: '/v1/users',
      remember,
    });
  };
}
