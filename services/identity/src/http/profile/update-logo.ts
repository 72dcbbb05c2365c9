import { type Handler, transaction } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { changeLogo } from '../../changes/change-partner.ts';
import { countOfPartner } from './usage-of-partner.ts';
import { limitsOfPartner } from './limits-of-partner.ts';
import { partnerCaller } from '../users/load-user.ts';
import { presentClient } from '../../present/client.ts';

/** PUT /v1/client/logo: the address is kept as it is; nobody here fetches it. */
export function updateLogo(ctx: Context): Handler<'update_logo'> {
  return async ({ principal, body }) => {
    const caller = partnerCaller(principal);
    // Before the change, so that a 503 has changed nothing.
    const [counts, limits] = await Promise.all([
      countOfPartner(ctx, caller.partner_id),
      limitsOfPartner(ctx, caller.partner_id),
    ]);
    const change = { partnerId: caller.partner_id, logoUrl: body.logo_url };
    const partner = await transaction(ctx.db, (session) => changeLogo(ctx, session, change));
    const message = body.logo_url === null ? 'Logo removed.' : 'Logo updated.';
    const client = presentClient({ partner, caller, counts, limits });
    return { body: { success: true, message, client } };
  };
}
