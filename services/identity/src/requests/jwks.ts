import type { JwksReply } from '@casewatch/contracts';
import type { Context } from '../context.ts';

/** The public keys of access tokens, as they are in the store now: another replica may have made one just before. */
export async function answerJwks(ctx: Context): Promise<JwksReply> {
  return ctx.accessTokens.published(await ctx.signingKeys.refresh(), ctx.clock.now());
}
