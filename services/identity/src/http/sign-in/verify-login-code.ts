import { type Handler, networkOf } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { matchLoginCode } from './match-login-code.ts';

/**
 * POST /v1/auth/login-code/verify: whether a code is right. It counts as a try and uses nothing up. Who has the address is
 * not looked at: the code of an unknown one is as good, and as hard to guess.
 */
export function verifyLoginCode(ctx: Context): Handler<'verify_login_code'> {
  return async ({ body, address }) => {
    const { email, code, request_id: requestId = null } = body;
    const challenge = await matchLoginCode(ctx, { email, code, requestId, network: networkOf(address) });
    const leftMs = challenge.expires_at.getTime() - ctx.clock.now().getTime();
    return {
      body: {
        success: true,
        message: 'The code is right.',
        valid: true,
        expires_in: Math.max(0, Math.floor(leftMs / 1000)),
      },
    };
  };
}
