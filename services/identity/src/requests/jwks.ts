import type { RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** The public keys of access tokens, as they are in the store now: another replica may have made one just before. */
export function answerJwks(ctx: Context): RequestHandler<'identity.jwks'> {
  return async () => ctx.accessTokens.published(await ctx.signingKeys.refresh(), ctx.clock.now());
}
