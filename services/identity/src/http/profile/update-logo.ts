import { type Handler, transaction } from '@casewatch/platform';
import { changeLogo } from '../../changes/change-partner.ts';
import type { Context } from '../../context.ts';
import { presentClient } from '../../present/client.ts';
import { usageOfPartner } from './usage-of-partner.ts';

/** PUT /v1/client/logo: the address is kept as it is; nobody here fetches it. */
export function updateLogo(ctx: Context): Handler<'update_logo'> {
  return async ({ caller, body }) => {
    // Before the change, so that a 503 has changed nothing.
    const usage = await usageOfPartner(ctx, caller.partner_id);
    const change = { partnerId: caller.partner_id, logoUrl: body.logo_url };
    const partner = await transaction(ctx.db, (tx) => changeLogo(ctx, tx, change));
    const message = body.logo_url === null ? 'Logo removed.' : 'Logo updated.';
    return { body: { success: true, message, client: presentClient({ partner, caller, usage }) } };
  };
}
