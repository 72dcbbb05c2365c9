import { type Handler, networkOf } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { matchLoginCode } from './match-login-code.ts';

/** POST /v1/auth/login-code/verify. It takes a try and does not use the code up. The user is not looked up. */
export function verifyLoginCode(ctx: Context): Handler<'verify_login_code'> {
  return async ({ body, address }) => {
    const { email, code, request_id: requestId = null } = body;
    const challenge = await matchLoginCode(ctx, { email, code, requestId, network: networkOf(address) });
    const leftMs = challenge.expires_at.getTime() - ctx.clock.now().getTime();
    const expires_in = Math.max(0, Math.floor(leftMs / 1000));
    return { body: { success: true, message: 'The code is correct.', valid: true, expires_in } };
  };
}
