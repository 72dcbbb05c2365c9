import { toIso } from '@casewatch/contracts';
import { ApiError, type RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { seconds } from '../credentials/access-token.ts';
import { isLiveSession } from '../domain/session.ts';

/** @throws ApiError account_suspended, token_revoked (the session ended, or the user is erased) */
export function answerSession(ctx: Context): RequestHandler<'identity.session'> {
  return async ({ session_id, user_id }) => {
    const [session, user] = await Promise.all([
      ctx.stores.sessions.find(session_id),
      ctx.stores.users.find(user_id),
    ]);
    const callerIds = { session_id, user_id };
    if (!session || !user || session.user_id !== user._id) throw new ApiError('token_revoked', { callerIds });
    // A suspension also ends the session; its reason is the more useful answer.
    if (user.status === 'suspended') throw new ApiError('account_suspended', { callerIds });
    if (!isLiveSession(session, ctx.clock.now())) throw new ApiError('token_revoked', { callerIds });
    return {
      user_id: user._id,
      partner_id: user.partner_id,
      signed_in_at: seconds(session.signed_in_at),
      good_until: toIso(session.idle_expires_at),
    };
  };
}

/** The public keys of access tokens, read from the store: another replica may have created one just now. */
export function answerJwks(ctx: Context): RequestHandler<'identity.jwks'> {
  return async () => ctx.accessTokens.published(await ctx.signingKeys.refresh(), ctx.clock.now());
}
