import type { Context } from '../context.ts';
import { answerAuthenticate } from './authenticate.ts';
import { answerPartner } from './partner.ts';
import { answerSession } from './session.ts';
import { answerUser } from './user.ts';

/** What identity answers on the bus. */
export function serveRequests(ctx: Context): void {
  ctx.bus.serve('identity.authenticate', (data) => answerAuthenticate(ctx, data));
  ctx.bus.serve('identity.session', (data) => answerSession(ctx, data));
  ctx.bus.serve('identity.jwks', async () => ctx.accessTokens.published());
  ctx.bus.serve('identity.user', (data) => answerUser(ctx, data));
  ctx.bus.serve('identity.partner', (data) => answerPartner(ctx, data));
}
