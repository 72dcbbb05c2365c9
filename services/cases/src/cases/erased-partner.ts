import type { EventHandler } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';

/**
 * Erases what is left of a partner: what it was shown of receipts, its imports, and remembered answers about nobody. Its people, with their cases,
 * go by their own events, which may come later than this one. May be repeated.
 */
export function onPartnerDeleted(ctx: Context): EventHandler<'partner.deleted'> {
  return async ({ partner_id }) => {
    await ctx.ownChecks.erasePartner(partner_id);
    await ctx.stores.imports.erasePartner(partner_id);
    await ctx.stores.partnerStates.erase(partner_id);
    await transaction(ctx.db, (session) => ctx.idempotency.erase(session, `partner/${partner_id}`));
    ctx.log.info({ partner_id }, 'partner erased');
  };
}
