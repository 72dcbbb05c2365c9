import type { Context } from '../context.ts';
import { answerAuthenticate } from './authenticate.ts';
import { answerJwks } from './jwks.ts';
import { answerPartner } from './partner.ts';
import { answerPartnerUser } from './partner-user.ts';
import { answerRevocations } from './revocations.ts';
import { answerSession } from './session.ts';
import { answerUser } from './user.ts';
import { answerUsers } from './users.ts';

/** What identity answers on the bus. */
export function serveRequests(ctx: Context): void {
  ctx.bus.serve('identity.authenticate', (data) => answerAuthenticate(ctx, data));
  ctx.bus.serve('identity.session', (data) => answerSession(ctx, data));
  ctx.bus.serve('identity.jwks', () => answerJwks(ctx));
  ctx.bus.serve('identity.revocations', (data) => answerRevocations(ctx, data));
  ctx.bus.serve('identity.user', (data) => answerUser(ctx, data));
  ctx.bus.serve('identity.users', (data) => answerUsers(ctx, data));
  ctx.bus.serve('identity.partner_user', (data) => answerPartnerUser(ctx, data));
  ctx.bus.serve('identity.partner', (data) => answerPartner(ctx, data));
}
